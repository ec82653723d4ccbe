import { hasSharedHistory, renewFirstMessages, subscribersOf } from '#features/channels';
import {
  deleteFlagsOfUsers,
  recipientsOf,
  indexMessages,
  insertFlags,
  type MessageRow,
  moveReadState,
  setPlace,
  setReadBy,
} from '#features/messages';
import type { ActorWriteTx, RealmRefWriteTx } from '#kernel/auth';
import type { Audience } from '#kernel/events';
import type { MessageId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import type { PreviousContent } from './content.ts';
import { channelsWithoutTheirFirst } from './delete.ts';
import { messagesDeleted } from './events.ts';
import { listRecipients, ownedBy, readersAmong, receivers } from './recipients.ts';
import type { Move } from './plan.ts';
import { topicMoved } from './signals.ts';
import type { Survey } from './survey.ts';

/** A move with what its transaction needs besides. */
export interface LinkedMove extends Move {
  /** The links in the new name of the topic; null: the name stays, and so do its links. */
  readonly topicLinks: MessageRow['topic_links'] | null;
  /**
   * What the named message held and holds now; null where only its place changes. See protocol/editing#content-edits.
   */
  readonly edited: { readonly was: PreviousContent; readonly content: string } | null;
}

/** What a move came to. */
export interface Moved {
  readonly rows: readonly MessageRow[];
  readonly audience: Audience;
  /** Everybody of the audience who held a message before. */
  readonly recipients: readonly UserId[];
}

/** Moves messages with the rights that come with their place. See protocol/editing#moves. The log is locked. */
export async function moveMessages(
  context: Context,
  tx: ActorWriteTx,
  message: MessageRow,
  move: LinkedMove,
  { rows, isWhole, targetHadMessages }: Survey,
): Promise<Moved> {
  const { source, target, topic } = move;
  const held = await listRecipients(tx, source, rows);
  const audience = await recipientsOf(tx, rows);
  await place(tx, message, rows, move);
  const from = { channel: source, topic: message.topic };
  await topicMoved.send(context, tx, {
    from,
    to: { channel: target, topic },
    isWhole,
    targetHadMessages,
  });
  if (source.id === target.id) return { rows, audience, recipients: held };
  const recipients = await changeRecipients(tx, move, rows, held);
  const users = [...new Set([...recipients, tx.actor.userId])];
  const channel = { id: target.id, ...(target.invite_only && { private: true as const }) };
  return { rows, audience: { users, channel }, recipients };
}

async function place(
  tx: ActorWriteTx,
  message: MessageRow,
  rows: readonly MessageRow[],
  { source, target, topic, topicLinks, isRenamed, toggled, edited }: LinkedMove,
): Promise<void> {
  const entry = {
    user_id: tx.actor.userId,
    timestamp: tx.now,
    ...(isRenamed && { prev_topic: message.topic, topic }),
    ...(source.id !== target.id && { prev_stream: source.id, stream: target.id }),
  };
  const placing = {
    recipient_id: target.recipient_id,
    channel_id: target.id,
    topic,
    topic_links: topicLinks ?? message.topic_links,
  };
  const put = (ids: readonly MessageId[], more: PreviousContent = {}) =>
    setPlace(tx, ids, placing, { ...entry, ...more }, toggled === undefined);
  if (edited) await put([message.id], edited.was);
  await put(rows.map(({ id }) => id).filter((id) => !edited || id !== message.id));
  if (isRenamed)
    indexMessages(
      tx,
      rows.map((row) => ({ ...row, topic, ...(row.id === message.id && edited && { content: edited.content }) })),
    );
}

/**
 * Gives moved messages to those who may read their new place: who had them keeps them with read state and flags, who may
 * not see the new place loses them and is told of their deletion, and who was there already does not find them unread.
 * Returns those who held them and go on to.
 */
async function changeRecipients(
  tx: RealmRefWriteTx,
  { source, target }: Move,
  rows: readonly MessageRow[],
  held: readonly UserId[],
): Promise<readonly UserId[]> {
  const ids = rows.map(({ id }) => id);
  const staying = await readersAmong(tx, target, held);
  const keepers = held.filter((id) => staying.has(id));
  const losers = held.filter((id) => !staying.has(id));
  await moveReadState(tx, keepers, rows, target.recipient_id);
  await deleteFlagsOfUsers(tx, losers, ids);
  await giveMoved(tx, { source, target }, rows, keepers);
  await announceFirsts(tx, { source, target }, rows);
  if (losers.length > 0) tellLosers(tx, source.id, rows, losers);
  return keepers;
}

/**
 * Marks as delivered what the new channel would not show as received: what keepers had, and where history is protected,
 * all to those in the channel. What they did not have is read.
 */
async function giveMoved(
  tx: RealmWriteTx,
  { source, target }: Pick<Move, 'source' | 'target'>,
  rows: readonly MessageRow[],
  keepers: readonly UserId[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const owned = await ownedBy(tx, source, rows);
  const present = (await subscribersOf(tx, [target.id])).get(target.id) ?? [];
  const missedBy = (user: UserId) => ids.filter((id) => !owned.get(user)?.has(id));
  await setReadBy(tx, new Map(present.map((user) => [user, missedBy(user)])));
  const received = await receivers(tx, target, rows);
  const unshown = (user: UserId, wanted: readonly MessageId[]) =>
    wanted
      .filter((id) => !received.get(user)?.has(id))
      .map((message_id) => ({ user_id: user, message_id, flag: 'delivered' as const }));
  const kept = keepers.flatMap((user) => unshown(user, [...(owned.get(user) ?? [])]));
  const given = hasSharedHistory(target) ? [] : present.flatMap((user) => unshown(user, missedBy(user)));
  await insertFlags(tx, [...kept, ...given]);
}

async function announceFirsts(
  tx: RealmRefWriteTx,
  { target }: Pick<Move, 'source' | 'target'>,
  rows: readonly MessageRow[],
): Promise<void> {
  const [first] = rows;
  const isFirst = first && (target.first_message_id === null || first.id < target.first_message_id);
  const left = await channelsWithoutTheirFirst(tx, rows);
  await renewFirstMessages(tx, isFirst ? [...left, target] : left);
}

function tellLosers(
  tx: RealmWriteTx,
  stream_id: NonNullable<MessageRow['channel_id']>,
  rows: readonly MessageRow[],
  users: readonly UserId[],
): void {
  const message_ids: MessageId[] = rows.map(({ id }) => id);
  const topic = rows[0]?.topic ?? '';
  const payload = { message_type: 'stream' as const, message_ids, stream_id, topic };
  tx.emit(messagesDeleted(tx.realmId, payload, { audience: { users } }));
}
