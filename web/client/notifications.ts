import type { Clock } from '../api/index.ts';
import { conversationHash, type Names } from '../addresses/index.ts';
import type { Message } from '../messages/index.ts';
import { type Conversation, conversationOf, keyOf, type Model, othersIn, Policy } from '../model/index.ts';
import { messageWords } from './message-words.ts';

/** How the person is notified of a message outside the page. */
export interface Alerts {
  readonly isShown: boolean;
  readonly isHeard: boolean;
}

const NOTHING: Alerts = { isShown: false, isHeard: false };
/** Longest text of a notification in characters, and the age up to which a message causes one, in seconds. */
const [MAX_TEXT, NEWS_SECONDS] = [200, 60];

/** Returns how the person is notified of a message, by their settings. See protocol/notifications. */
export function alertsFor(model: Model, message: Message): Alerts {
  const settings = model.facts.peek('user_settings');
  if (!settings || message.sender_id === model.me || message.flags.includes('read')) return NOTHING;
  if (model.facts.peek('muted_users')?.some((one) => Number(one.id) === message.sender_id) === true) return NOTHING;
  const conversation = conversationOf(message);
  const isAboutMe =
    'people' in conversation || message.flags.includes('mentioned') || message.flags.includes('has_alert_word');
  const about = isAboutMe
    ? { isShown: settings.enable_desktop_notifications, isHeard: settings.enable_sounds }
    : NOTHING;
  const channel = 'people' in conversation ? NOTHING : ofChannel(model, conversation, message);
  const isQuiet = settings.notification_sound === 'none';
  return {
    isShown: about.isShown || channel.isShown,
    isHeard: !isQuiet && (about.isHeard || channel.isHeard),
  };
}

function ofChannel(
  model: Model,
  conversation: Extract<Conversation, { channelId: number }>,
  { flags }: Message,
): Alerts {
  const settings = model.facts.peek('user_settings');
  const row = model.channels.table.peek(conversation.channelId);
  if (!settings || row?.membership !== 'subscribed') return NOTHING;
  const { channel } = row;
  const isFollowed = model.policies.peek(keyOf(conversation)) === Policy.followed;
  const isMuted = model.isMuted(conversation);
  const isForAll = flags.some((flag) => flag.endsWith('wildcard_mentioned'));
  const alerts: Alerts[] = [];
  if (isForAll && !isMuted && (channel.wildcard_mentions_notify ?? settings.wildcard_mentions_notify))
    alerts.push({ isShown: settings.enable_desktop_notifications, isHeard: settings.enable_sounds });
  if (isForAll && isFollowed && settings.enable_followed_topic_wildcard_mentions_notify)
    alerts.push({ isShown: settings.enable_desktop_notifications, isHeard: settings.enable_sounds });
  if (isFollowed)
    alerts.push({
      isShown: settings.enable_followed_topic_desktop_notifications,
      isHeard: settings.enable_followed_topic_audible_notifications,
    });
  if (!isMuted)
    alerts.push({
      isShown: channel.desktop_notifications ?? settings.enable_stream_desktop_notifications,
      isHeard: channel.audible_notifications ?? settings.enable_stream_audible_notifications,
    });
  return { isShown: alerts.some((one) => one.isShown), isHeard: alerts.some((one) => one.isHeard) };
}

interface NotifierOptions {
  readonly model: Model;
  /** The server's time. */
  readonly clock: Pick<Clock, 'now'>;
  readonly names: Names;
  /** Shows a notification; pressing it opens the address. */
  readonly show: (title: string, body: string, tag: string, hash: string) => void;
  readonly sound: () => void;
  /** Returns the address that is shown in the focused tab; undefined if none is focused. */
  readonly lookedAt: () => string | undefined;
}

/** Shows notifications and plays sounds for new messages, unless the person is looking at the conversation. */
export class Notifier {
  readonly #options: NotifierOptions;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  received(message: Message): void {
    const { model, clock, names, show, sound, lookedAt } = this.#options;
    if (clock.now() / 1000 - message.timestamp > NEWS_SECONDS) return;
    const conversation = conversationOf(message);
    const hash = conversationHash(conversation, names);
    if (lookedAt()?.startsWith(hash) === true) return;
    const { isShown, isHeard } = alertsFor(model, message);
    if (isShown)
      show(
        this.#title(message, conversation),
        this.#body(message, conversation),
        keyOf(conversation),
        `${hash}/near/${message.id}`,
      );
    if (isHeard) sound();
  }

  #title(message: Message, conversation: Conversation): string {
    const { model, names } = this.#options;
    const sender = senderIn(model, message);
    if ('channelId' in conversation) {
      const topic = conversation.topic === '' ? '' : ` › ${conversation.topic}`;
      return `${sender} (#${names.nameOf(conversation.channelId) ?? ''}${topic})`;
    }
    const others = othersIn(conversation, model.me).filter((id) => id !== message.sender_id);
    const also = others.map((id) => model.people.table.peek(id)?.user.full_name ?? '').join(', ');
    return also === '' ? sender : `${sender} (${also})`;
  }

  #body(message: Message, conversation: Conversation): string {
    const { model } = this.#options;
    const isHidden =
      'people' in conversation && model.facts.peek('user_settings')?.pm_content_in_desktop_notifications === false;
    if (isHidden) return '';
    const words = messageWords(model, message);
    const text = message.is_me_message ? `${senderIn(model, message)} ${words}` : words;
    return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  }
}

function senderIn(model: Model, { sender_id, sender_full_name }: Message): string {
  return model.people.table.peek(sender_id)?.user.full_name ?? sender_full_name;
}
