import { renewFirstMessages } from '#features/channels';
import {
  deleteFlagsOfUsers,
  indexMessages,
  type MessageRow,
  recipientsOf,
  reindexMessages,
  setPlace,
} from '#features/messages';
import type { ActorWriteTx, RealmRefWriteTx } from '#kernel/auth';
import type { Audience } from '#kernel/events';
import type { MessageId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import type { PreviousContent } from './content.ts';
import { channelsWithoutTheirFirst } from './delete.ts';
import { messagesDeleted } from './events.ts';
import { assertFewDeliveries, giveMoved } from './give.ts';
import { listRecipients, readersAmong } from './recipients.ts';
import type { Move } from './plan.ts';
import { topicMoved } from './signals.ts';
import type { Survey } from './survey.ts';

/** A move with everything its transaction needs. */
export interface LinkedMove extends Move, Survey {
  /** The links in the topic's new name; null if the name stays, and so its links. */
  readonly topicLinks: MessageRow['topic_links'] | null;
  /** The named message's old and new content; null if only its place changes. See protocol/editing#content-edits. */
  readonly edited: { readonly was: PreviousContent; readonly content: string } | null;
}

/** Result of a move. */
export interface Moved {
  readonly audience: Audience;
  /** Users of the audience who had a message before. */
  readonly recipients: readonly UserId[];
}

/**
 * Moves messages, and gives and withdraws access that depends on their place. See protocol/editing#moves. The caller
 * has locked the log.
 */
export async function moveMessages(context: Context, tx: ActorWriteTx, move: LinkedMove): Promise<Moved> {
  const { message, source, target, topic, rows, isWhole, targetHadMessages } = move;
  const isElsewhere = source.id !== target.id;
  if (isElsewhere) await assertFewDeliveries(tx, rows);
  // Who received the messages is read once: of many deliveries it is a million rows.
  const before = await recipientsOf(tx, rows);
  const held = await listRecipients(tx, source, rows, before);
  await place(tx, move);
  const from = { channel: source, topic: message.topic };
  await topicMoved.send(
    tx,
    {
      from,
      to: { channel: target, topic },
      isWhole,
      targetHadMessages,
    },
    context,
  );
  if (!isElsewhere) return { audience: before, recipients: held };
  const recipients = await changeRecipients(tx, move, held);
  const users = [...new Set([...recipients, tx.actor.userId])];
  const channel = { id: target.id, ...(target.invite_only && { private: true as const }) };
  return { audience: { users, channel }, recipients };
}

async function place(tx: ActorWriteTx, move: LinkedMove): Promise<void> {
  const { message, rows, source, target, topic, topicLinks, isRenamed, toggled, edited } = move;
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
    isMove: toggled === undefined,
  };
  const put = (ids: readonly MessageId[], more: PreviousContent = {}) =>
    setPlace(tx, ids, { ...placing, entry: { ...entry, ...more } });
  if (edited) await put([message.id], edited.was);
  await put(rows.map(({ id }) => id).filter((id) => !edited || id !== message.id));
  if (!isRenamed) return;
  await reindexMessages(
    tx,
    rows.map(({ id }) => id),
  );
  if (edited) indexMessages(tx, [{ id: message.id, topic, content: edited.content }]);
}

/**
 * Gives moved messages to the readers of their new place. Users who had them and may read the new place keep them with
 * read state and flags; users who may not lose them and get an event about their deletion; for everybody else in the
 * target channel they count as read. Returns the users who keep them.
 */
async function changeRecipients(
  tx: RealmRefWriteTx,
  move: LinkedMove,
  held: readonly UserId[],
): Promise<readonly UserId[]> {
  const { target, rows } = move;
  const staying = await readersAmong(tx, target, held);
  const keepers = held.filter((id) => staying.has(id));
  const losers = held.filter((id) => !staying.has(id));
  await deleteFlagsOfUsers(
    tx,
    losers,
    rows.map(({ id }) => id),
  );
  await giveMoved(tx, move, { keepers, losers });
  await announceFirsts(tx, move);
  if (losers.length > 0) tellLosers(tx, move, losers);
  return keepers;
}

async function announceFirsts(tx: RealmRefWriteTx, { target, rows }: LinkedMove): Promise<void> {
  const [first] = rows;
  const isFirst = first && (target.first_message_id === null || first.id < target.first_message_id);
  const left = await channelsWithoutTheirFirst(tx, rows);
  await renewFirstMessages(tx, isFirst ? [...left, target] : left);
}

function tellLosers(tx: RealmWriteTx, { source, rows }: LinkedMove, users: readonly UserId[]): void {
  const message_ids: MessageId[] = rows.map(({ id }) => id);
  const topic = rows[0]?.topic ?? '';
  const payload = { message_type: 'stream' as const, message_ids, stream_id: source.id, topic };
  tx.emit(messagesDeleted(payload, { audience: { users } }));
}
