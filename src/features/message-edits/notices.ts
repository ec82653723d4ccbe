import type { Actor, ActorReadTx, ActorWriteTx, RealmRef, RealmRefWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { foldCase } from '#kernel/text';
import { type ChannelRow, subscribersOf } from '#features/channels';
import {
  newestOfTopic,
  messageAddress,
  type Outgoing,
  participantsIn,
  prepareSystemMessage,
  sendPrepared,
  silentMention,
  topicLink,
} from '#features/messages';
import { settingsOfUsers, type UserSettings } from '#features/user-settings';
import { findUser } from '#features/users';
import { deleteMessages } from './delete.ts';
import { isToggleNotice, noticeWordsOf } from './notice-words.ts';
import type { Move } from './plan.ts';
import { followersOf } from './queries.ts';
import type { Survey } from './survey.ts';

/**
 * Seconds within which undoing a resolve deletes the opposite notice instead of adding one. See
 * protocol/topics#resolving.
 */
const UNDO_SECONDS = 60;

/** Whether the old and the new topic of a move get a notice. */
export interface Wishes {
  readonly send_notification_to_old_thread: boolean;
  readonly send_notification_to_new_thread: boolean;
}

/** A notice of the notification bot about a move, and the topic it goes to. */
interface Notice {
  readonly channel: ChannelRow;
  readonly topic: string;
  readonly text: string;
  /** Whether it says that the topic was resolved or unresolved. */
  readonly isToggle: boolean;
}

/** Rendered notices by their text. */
export type ReadyNotices = ReadonlyMap<string, Outgoing>;

interface Happening {
  readonly move: Move;
  readonly survey: Survey;
  readonly wishes: Wishes;
}

/** The notices about a move, in order. See protocol/editing#move-notices. */
export function noticesOf(actor: Actor, happening: Happening): readonly Notice[] {
  const { move, survey, wishes } = happening;
  const { message, source, target, topic, toggled } = move;
  const by = silentMention({ full_name: actor.fullName, id: actor.userId });
  const words = noticeWordsOf(actor.realm);
  if (toggled) return [{ channel: target, topic, text: words.toggled(toggled, by), isToggle: true }];
  if (source.id === target.id && foldCase(topic) === foldCase(message.topic)) return [];
  const { rows, isWhole, targetHadMessages } = survey;
  const [first] = rows;
  const address = first && messageAddress(actor.realm.url, { channel: target, topic }, first.id);
  const from = topicLink(source, message.topic);
  const here = words.arrived(isWhole && !targetHadMessages ? 'topic' : rows.length, from, by, address);
  const there = words.left(isWhole ? 'topic' : rows.length, topicLink(target, topic), by);
  return [
    ...(wishes.send_notification_to_new_thread ? [{ channel: target, topic, text: here }] : []),
    ...(wishes.send_notification_to_old_thread ? [{ channel: source, topic: message.topic, text: there }] : []),
  ].map((notice) => ({ ...notice, isToggle: false }));
}

/** Renders notices; the slow half of sending them, outside any transaction. */
export async function prepareNotices(
  context: Context,
  realm: RealmRef,
  notices: readonly Notice[],
): Promise<ReadyNotices> {
  const ready = new Map<string, Outgoing>();
  for (const { text } of notices) ready.set(text, await prepareSystemMessage(context, realm, { content: text }));
  return ready;
}

/** Sends the notices of a move in its transaction; they count as read by the actor. The caller has locked the log. */
export async function sendNotices(
  context: Context,
  tx: ActorWriteTx,
  notices: readonly Notice[],
  ready: ReadyNotices,
): Promise<void> {
  for (const notice of notices) {
    const { channel, topic, text, isToggle } = notice;
    const outgoing = ready.get(text);
    if (!outgoing) throw new Error('a notice was not prepared');
    if (isToggle && (await deleteOppositeNotice(context, tx, notice))) continue;
    const alsoReadBy = isToggle ? await readersFromStart(tx, channel, topic) : [tx.actor.userId];
    await sendPrepared(context, tx, { ...outgoing, alsoReadBy }, { channel: { id: channel.id }, topic });
  }
}

/** Deletes the opposite notice if it is the topic's last message and recent. */
async function deleteOppositeNotice(
  context: Context,
  tx: RealmRefWriteTx,
  { channel, topic }: Notice,
): Promise<boolean> {
  const [last] = await newestOfTopic(tx, { recipient_id: channel.recipient_id, topic }, 1);
  if (!last || tx.now - last.sent_at > UNDO_SECONDS || !isToggleNotice(last.content)) return false;
  const sender = await findUser(tx, last.sender_id);
  if (!sender?.is_system_bot) return false;
  await deleteMessages(context, tx, [last]);
  return true;
}

type ReadPolicy = UserSettings['resolved_topic_notice_auto_read_policy'];

/** Whether a notice of resolving is unread for a participant, by their setting. */
const IS_UNREAD: Readonly<Record<ReadPolicy, (isFollowing: boolean) => boolean>> = {
  always: () => false,
  except_followed: (isFollowing) => isFollowing,
  never: () => true,
};

/**
 * Subscribers for whom a notice of resolving counts as read: the actor, everybody who took no part in the topic, and
 * participants whose settings say so. See protocol/topics#resolving.
 */
async function readersFromStart(tx: ActorReadTx, channel: ChannelRow, topic: string): Promise<readonly UserId[]> {
  const participants = await participantsIn(tx, channel.recipient_id, topic);
  const settings = await settingsOfUsers(tx, participants);
  const followers = await followersOf(tx, channel.id, topic);
  const isTroubled = (id: UserId) => {
    const policy = settings.get(id)?.resolved_topic_notice_auto_read_policy;
    return id !== tx.actor.userId && policy !== undefined && IS_UNREAD[policy](followers.has(id));
  };
  const troubled = new Set(participants.filter(isTroubled));
  const subscribers = (await subscribersOf(tx, [channel.id])).get(channel.id) ?? [];
  return [...new Set([...subscribers, tx.actor.userId])].filter((id) => !troubled.has(id));
}
