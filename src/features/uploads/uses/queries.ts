import type { MessageId } from '#kernel/ids';
import { type RawBuilder, type RealmReadTx, type RealmWriteTx, sql, type SqlBool } from '#kernel/store';
import type { AttachmentId } from '../tables.ts';
import type { Use } from '../wire.ts';

/** Which messages are read of files that many use. */
interface Share {
  /** Most messages of one file, and of all together; each file gets one at least. */
  readonly each: number;
  readonly inAll: number;
  readonly from: 'newest' | 'oldest';
}

/** Most messages that are read of each of several files: anybody may use a file in any number of messages. */
export function shareOf(files: number, { each, inAll }: Pick<Share, 'each' | 'inAll'>): number {
  return Math.max(1, Math.min(each, Math.floor(inAll / files)));
}

/** The messages that use each of the files, oldest first; of many messages a share. */
export async function usesOf(
  tx: RealmReadTx,
  ids: readonly AttachmentId[],
  share: Share,
): Promise<ReadonlyMap<AttachmentId, readonly MessageId[]>> {
  const uses = new Map<AttachmentId, MessageId[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return uses;
  const { rows } = await sql<{ readonly attachment_id: AttachmentId; readonly message_id: MessageId }>`
    select used.attachment_id, used.message_id
    from ${tx.dialect.joinedByIndex(sql`attachment`, {
      table: 'attachment_use',
      as: 'used',
      columns: ['attachment_id', 'message_id'],
      where: sql`used.realm_id = ${tx.realmId} and used.attachment_id = attachment.id and ${isInShare(tx, ids.length, share)}`,
    })}
    where attachment.realm_id = ${tx.realmId} and ${tx.dialect.anyOf('attachment.id', ids)}
    order by used.message_id`.execute(tx.db);
  for (const { attachment_id, message_id } of rows) uses.get(attachment_id)?.push(message_id);
  return uses;
}

/** Condition that is met by the newest or oldest rows of `used` for a row of `attachment`, found at an end of the index. */
function isInShare({ realmId }: RealmReadTx, files: number, share: Share): RawBuilder<SqlBool> {
  const isNewest = share.from === 'newest';
  return sql`used.message_id ${sql.raw(isNewest ? '>=' : '<=')} (
    select ${sql.raw(isNewest ? 'min' : 'max')}(message_id) from (
      select message_id from attachment_use
      where realm_id = ${realmId} and attachment_use.attachment_id = attachment.id
      order by message_id ${sql.raw(isNewest ? 'desc' : 'asc')} limit ${shareOf(files, share)}) as these)`;
}

/** As `usesOf`, with the times of the messages. */
export async function timedUsesOf(
  tx: RealmReadTx,
  ids: readonly AttachmentId[],
  share: Share,
): Promise<ReadonlyMap<AttachmentId, readonly Use[]>> {
  const uses = await usesOf(tx, ids, share);
  const messages = [...new Set([...uses.values()].flat())];
  if (messages.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('message')
    .select(['id', 'sent_at'])
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('id', messages))
    .execute();
  const times = new Map(rows.map((row) => [row.id, row.sent_at]));
  const timed = (message_id: MessageId): Use => ({ message_id, sent_at: times.get(message_id) ?? 0 });
  return new Map([...uses].map(([id, those]) => [id, those.map(timed)]));
}

/** A page of the messages that use a file, after one of them. */
export async function listUses(
  tx: RealmReadTx,
  id: AttachmentId,
  after: MessageId,
  limit: number,
): Promise<readonly MessageId[]> {
  const rows = await tx.db
    .selectFrom('attachment_use')
    .select('message_id')
    .where('realm_id', '=', tx.realmId)
    .where('attachment_id', '=', id)
    .where('message_id', '>', after)
    .orderBy('message_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.message_id);
}

/** Which of the files any message uses. */
export async function usedAmong(tx: RealmReadTx, ids: readonly AttachmentId[]): Promise<ReadonlySet<AttachmentId>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.db
    .selectFrom('attachment')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('id', ids))
    .where((where) =>
      where.exists(
        where
          .selectFrom('attachment_use')
          .select('message_id')
          .where('realm_id', '=', tx.realmId)
          .whereRef('attachment_use.attachment_id', '=', 'attachment.id'),
      ),
    )
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** The files that any of the messages use. */
export async function usedBy(tx: RealmReadTx, messageIds: readonly MessageId[]): Promise<readonly AttachmentId[]> {
  if (messageIds.length === 0) return [];
  const rows = await tx.db
    .selectFrom('attachment_use')
    .select('attachment_id')
    .distinct()
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('message_id', messageIds))
    .execute();
  return rows.map((row) => row.attachment_id);
}

export async function insertUses(tx: RealmWriteTx, messageId: MessageId, ids: readonly AttachmentId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .insertInto('attachment_use')
    .values(ids.map((attachment_id) => ({ realm_id: tx.realmId, attachment_id, message_id: messageId })))
    .execute();
}

/** Deletes these messages' uses of files; with `ids`, only of these files. */
export async function deleteUses(
  tx: RealmWriteTx,
  messageIds: readonly MessageId[],
  ids?: readonly AttachmentId[],
): Promise<void> {
  let query = tx.db
    .deleteFrom('attachment_use')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('message_id', messageIds));
  if (ids) query = query.where(tx.dialect.anyOf('attachment_id', ids));
  await query.execute();
}
