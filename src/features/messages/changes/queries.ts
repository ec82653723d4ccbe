import type { ChannelId, MessageId, RecipientId, UserId } from '#kernel/ids';
import { inChunks, type RealmReadTx, type RealmWriteTx, sql } from '#kernel/store';
import { foldCase } from '#kernel/text';
import type { MessageRow, StoredEdit, StoredFlag } from '../core/index.ts';

/** Messages of one statement. */
const CHUNK = 2000;

/** The messages of a topic, ascending; those from `from` on. */
export function listTopic(
  tx: RealmReadTx,
  recipientId: RecipientId,
  topic: string,
  options: { readonly from?: MessageId; readonly newest?: number } = {},
): Promise<readonly MessageRow[]> {
  let query = tx.db
    .selectFrom('message')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('recipient_id', '=', recipientId)
    .where('topic_key', '=', foldCase(topic));
  if (options.from !== undefined) query = query.where('id', '>=', options.from);
  if (options.newest === undefined) return query.orderBy('id').execute();
  return query.orderBy('id', 'desc').limit(options.newest).execute();
}

type Content = Pick<
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

/** Gives a message another content, with an entry in its history unless another change makes it. */
export async function setContent(
  tx: RealmWriteTx,
  id: MessageId,
  content: Content,
  entry: StoredEdit | null,
): Promise<void> {
  await tx.db
    .updateTable('message')
    .set({ ...content, last_edit_at: tx.now, ...(entry && { edit_history: withEntry(entry) }) })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Gives a message another rendering of what it says; no edit, and no entry in its history. */
export async function setRendering(
  tx: RealmWriteTx,
  id: MessageId,
  rendering: Pick<MessageRow, 'rendered_content' | 'has_image'>,
): Promise<void> {
  await tx.db.updateTable('message').set(rendering).where('realm_id', '=', tx.realmId).where('id', '=', id).execute();
}

type Placing = { readonly recipient_id: RecipientId; readonly channel_id: ChannelId } & Pick<
  MessageRow,
  'topic' | 'topic_links'
>;

/** Puts messages elsewhere, with an entry in the history of each; whether it counts as moved is for the caller to say. */
export async function setPlace(
  tx: RealmWriteTx,
  ids: readonly MessageId[],
  placing: Placing,
  entry: StoredEdit,
  isMove: boolean,
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

/** The stored history with an entry before all others: one statement for messages with different pasts. */
function withEntry(entry: StoredEdit) {
  const text = JSON.stringify(entry);
  return sql<string>`case when edit_history is null then ${`[${text}]`} else ${`[${text},`} || substr(edit_history, 2) end`;
}

/** Any messages of an organization, at most `limit`. */
export function listSomeMessages(tx: RealmReadTx, limit: number): Promise<readonly MessageRow[]> {
  return tx.db.selectFrom('message').selectAll().where('realm_id', '=', tx.realmId).limit(limit).execute();
}

/** Deletes messages and their widgets' parts. */
export async function deleteMessageRows(tx: RealmWriteTx, ids: readonly MessageId[]): Promise<void> {
  for (const chunk of inChunks(ids, CHUNK)) {
    await tx.db
      .deleteFrom('submessage')
      .where('realm_id', '=', tx.realmId)
      .where(tx.dialect.anyOf('message_id', chunk))
      .execute();
    await tx.db.deleteFrom('message').where('realm_id', '=', tx.realmId).where(tx.dialect.anyOf('id', chunk)).execute();
  }
}

/** Every stored flag, for a message that is gone. */
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
