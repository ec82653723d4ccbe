import type { Actor, ActorReadTx, ActorWriteTx, RealmRef, RealmRefWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { foldCase } from '#kernel/text';
import { type ChannelRow, subscribersOf } from '#features/channels';
import {
  listTopic,
  messageAddress,
  type MessageRow,
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
import type { Move } from './plan.ts';
import { followersOf } from './queries.ts';
import type { Survey } from './survey.ts';

/**
 * Seconds within which the opposite notice of resolving is taken back rather than answered.
 * See protocol/topics#resolving.
 */
const UNDO_SECONDS = 60;

/** Which of the two threads of a move hear of it. */
export interface Wishes {
  readonly send_notification_to_old_thread: boolean;
  readonly send_notification_to_new_thread: boolean;
}

/** Something the notification bot says of a move, where it says it. */
interface Notice {
  readonly channel: ChannelRow;
  readonly topic: string;
  readonly text: string;
}

/** Texts of notices, ready to be sent. */
export type ReadyNotices = ReadonlyMap<string, Outgoing>;

interface Happening {
  readonly message: MessageRow;
  readonly move: Move;
  readonly survey: Survey;
  readonly wishes: Wishes;
}

/** What is said of a move, in order. See protocol/editing#move-notices. */
export function noticesOf(context: Context, actor: Actor, happening: Happening): readonly Notice[] {
  const { message, move, survey, wishes } = happening;
  const { source, target, topic, toggled } = move;
  const by = silentMention({ full_name: actor.fullName, id: actor.userId });
  if (toggled) return [{ channel: target, topic, text: `${by} has marked this topic as ${toggled}.` }];
  if (source.id === target.id && foldCase(topic) === foldCase(message.topic)) return [];
  const here = `${arrived(context, actor.realm, happening)} from ${topicLink(source, message.topic)} by ${by}.`;
  const there = `${left(survey)} to ${topicLink(target, topic)} by ${by}.`;
  return [
    ...(wishes.send_notification_to_new_thread ? [{ channel: target, topic, text: here }] : []),
    ...(wishes.send_notification_to_old_thread ? [{ channel: source, topic: message.topic, text: there }] : []),
  ];
}

function left({ rows, isWhole }: Survey): string {
  if (isWhole) return 'This topic was moved';
  if (rows.length === 1) return 'A message was moved from this topic';
  return `${rows.length} messages were moved from this topic`;
}

function arrived(context: Context, realm: RealmRef, { move, survey }: Happening): string {
  const { rows, isWhole, targetHadMessages } = survey;
  if (isWhole && !targetHadMessages) return 'This topic was moved here';
  const [first] = rows;
  if (rows.length !== 1 || !first) return `${rows.length} messages were moved here`;
  const spot = { channel: move.target, topic: move.topic };
  return `[A message](${messageAddress(context, realm, spot, first.id)}) was moved here`;
}

/** Renders notices; the slow half of sending them. */
export async function prepareNotices(
  context: Context,
  realm: RealmRef,
  notices: readonly Notice[],
): Promise<ReadyNotices> {
  const ready = new Map<string, Outgoing>();
  for (const { text } of notices) ready.set(text, await prepareSystemMessage(context, realm, text));
  return ready;
}

/** Sends the notices of a move in its transaction; for the actor they are read from the start. The log is locked. */
export async function sendNotices(
  context: Context,
  tx: ActorWriteTx,
  { toggled }: Move,
  notices: readonly Notice[],
  ready: ReadyNotices,
): Promise<void> {
  for (const { channel, topic, text } of notices) {
    const outgoing = ready.get(text);
    if (!outgoing) throw new Error('a notice was not prepared');
    if (toggled && (await takesBack(context, tx, channel, topic))) continue;
    const alsoReadBy = toggled ? await untroubled(tx, channel, topic) : [tx.actor.userId];
    await sendPrepared(context, tx, { ...outgoing, alsoReadBy }, { channel: { id: channel.id }, topic });
  }
}

/** Takes back the opposite notice where that is the topic's last word and still fresh. */
async function takesBack(context: Context, tx: RealmRefWriteTx, channel: ChannelRow, topic: string): Promise<boolean> {
  const [last] = await listTopic(tx, channel.recipient_id, topic, { newest: 1 });
  if (!last || tx.now - last.sent_at > UNDO_SECONDS || !isToggleNotice(last.content)) return false;
  const sender = await findUser(tx, last.sender_id);
  if (!sender?.is_system_bot) return false;
  await deleteMessages(context, tx, [last]);
  return true;
}

function isToggleNotice(content: string): boolean {
  return /has marked this topic as (un)?resolved\.$/.test(content);
}

type ReadPolicy = UserSettings['resolved_topic_notice_auto_read_policy'];

/** Whether a participant finds a notice of resolving unread, by what they chose. */
const IS_UNREAD: Readonly<Record<ReadPolicy, (isFollowing: boolean) => boolean>> = {
  always: () => false,
  except_followed: (isFollowing) => isFollowing,
  never: () => true,
};

/**
 * Subscribers for whom a notice of resolving is read from the start: the actor, all who took no part in the topic, and those
 * whose settings say so. See protocol/topics#resolving.
 */
async function untroubled(tx: ActorReadTx, channel: ChannelRow, topic: string): Promise<readonly UserId[]> {
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
