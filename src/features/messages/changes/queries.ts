import type { ChannelId, MessageId, RecipientId, UserId } from '#kernel/ids';
import { ascending } from '#kernel/lists';
import { collectedIds, inChunks, type RealmReadTx, type RealmWriteTx, sql } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { deleteInSlices, type MessageRow, type StoredEdit, type StoredFlag } from '../core/index.ts';

const messages = (tx: RealmReadTx) => tx.db.selectFrom('message').selectAll().where('realm_id', '=', tx.realmId);

/** Most rows that one statement changes. */
const CHUNK = 2000;

type InTopic = Pick<MessageRow, 'recipient_id' | 'topic'>;

/** Lists the newest messages of a topic, `most` at most, descending. */
export function newestOfTopic(
  tx: RealmReadTx,
  { recipient_id, topic }: InTopic,
  most: number,
): Promise<readonly MessageRow[]> {
  const ofTopic = messages(tx).where('recipient_id', '=', recipient_id).where('topic_key', '=', foldCase(topic));
  return ofTopic.orderBy('id', 'desc').limit(most).execute();
}

/** Lists the IDs of all messages of a topic, ascending: there may be so many that their texts take too long to read. */
export async function idsOfTopic(tx: RealmReadTx, { recipient_id, topic }: InTopic): Promise<readonly MessageId[]> {
  const { rows } = await sql<{ ids: string | null }>`select ${tx.dialect.collected('id')} as ids from message
    where realm_id = ${tx.realmId} and recipient_id = ${recipient_id} and topic_key = ${foldCase(topic)}`.execute(
    tx.db,
  );
  return ascending([...collectedIds<MessageId>(rows[0]?.ids ?? '[]')]);
}

/** New content of a message. `entry` is added to its history; null where another change adds the entry. */
type Content = { readonly entry: StoredEdit | null } & Pick<
  MessageRow,
  | 'content'
  | 'rendered_content'
  | 'is_me_message'
  | 'has_attachment'
  | 'has_image'
  | 'has_link'
  | 'mentions_channel'
  | 'mentions_groups'
>;

/** Sets a message's content and adds an entry to its history. */
export async function setContent(tx: RealmWriteTx, id: MessageId, { entry, ...content }: Content): Promise<void> {
  await tx.db
    .updateTable('message')
    .set({ ...content, last_edit_at: tx.now, ...(entry && { edit_history: withEntry(entry) }) })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Sets the rendering of unchanged content; this is no edit and leaves no entry in the history. */
export async function setRendering(
  tx: RealmWriteTx,
  id: MessageId,
  rendering: Pick<MessageRow, 'rendered_content' | 'has_image'>,
): Promise<void> {
  await tx.db.updateTable('message').set(rendering).where('realm_id', '=', tx.realmId).where('id', '=', id).execute();
}

/** The new place of messages, and the entry for their histories; `isMove` says whether it counts as a move. */
interface Placing extends Pick<MessageRow, 'topic' | 'topic_links'> {
  readonly recipient_id: RecipientId;
  readonly channel_id: ChannelId;
  readonly entry: StoredEdit;
  readonly isMove: boolean;
}

/** Moves messages and adds an entry to the history of each. */
export async function setPlace(
  tx: RealmWriteTx,
  ids: readonly MessageId[],
  { entry, isMove, ...placing }: Placing,
): Promise<void> {
  const values = {
    ...placing,
    topic_key: foldCase(placing.topic),
    topic_links: JSON.stringify(placing.topic_links),
    edit_history: withEntry(entry),
    ...(isMove && { last_moved_at: tx.now }),
  };
  for (const chunk of inChunks(ids, CHUNK)) {
    await tx.db
      .updateTable('message')
      .set(values)
      .where('realm_id', '=', tx.realmId)
      .where(tx.dialect.anyOf('id', chunk))
      .execute();
  }
}

/**
 * The stored history with a new entry in front, in SQL, so that one statement serves messages with different histories.
 */
function withEntry(entry: StoredEdit) {
  const text = JSON.stringify(entry);
  return sql<string>`case when edit_history is null then ${`[${text}]`} else ${`[${text},`} || substr(edit_history, 2) end`;
}

/** Any messages of an organization, at most `limit`. */
export function listSomeMessages(tx: RealmReadTx, limit: number): Promise<readonly MessageRow[]> {
  return messages(tx).limit(limit).execute();
}

/** Deletes messages and their widgets' parts. */
export async function deleteMessageRows(tx: RealmWriteTx, ids: readonly MessageId[]): Promise<void> {
  for (const chunk of inChunks(ids, CHUNK)) {
    await deletePartsOf(tx, chunk);
    await tx.db.deleteFrom('message').where('realm_id', '=', tx.realmId).where(tx.dialect.anyOf('id', chunk)).execute();
  }
}

function deletePartsOf(tx: RealmWriteTx, ids: readonly MessageId[]): Promise<void> {
  return deleteInSlices((most) => {
    const all = tx.db.selectFrom('submessage').select('id').where('realm_id', '=', tx.realmId);
    const some = all.where(tx.dialect.anyOf('message_id', ids)).limit(most);
    const rows = tx.db.deleteFrom('submessage').where('realm_id', '=', tx.realmId).where('id', 'in', some);
    return rows.executeTakeFirst();
  });
}

/** Every stored flag; a deleted message loses all of them. */
export const ALL_FLAGS: readonly StoredFlag[] = [
  'starred',
  'collapsed',
  'mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
  'delivered',
];

/** Removes all flags of some users from messages they can no longer see. */
export async function deleteFlagsOfUsers(
  tx: RealmWriteTx,
  userIds: readonly UserId[],
  ids: readonly MessageId[],
): Promise<void> {
  if (userIds.length === 0 || ids.length === 0) return;
  await tx.db
    .deleteFrom('message_flag')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('user_id', userIds))
    .where(tx.dialect.anyOf('message_id', ids))
    .execute();
}
