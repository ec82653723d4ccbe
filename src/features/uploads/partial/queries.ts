import type { RealmId, UserId } from '#kernel/ids';
import { type ReadTx, type RealmReadTx, sql, type WriteTx } from '#kernel/store';
import type { UnfinishedUpload, UploadPiece } from '../tables.ts';

/** How many uploads are unfinished, and the bytes that they may take, sent or not. */
interface Unfinished {
  readonly count: number;
  readonly bytes: number;
}

/** What is unfinished of a person or an organization; of the whole server where neither is named. */
export async function readUnfinished(
  tx: ReadTx,
  of: { readonly realm_id?: RealmId; readonly owner_id?: UserId },
): Promise<Unfinished> {
  let query = tx.db
    .selectFrom('unfinished_upload')
    .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(sum(size), 0)`.as('bytes')]);
  if (of.realm_id !== undefined) query = query.where('realm_id', '=', of.realm_id);
  if (of.owner_id !== undefined) query = query.where('owner_id', '=', of.owner_id);
  const { count, bytes } = await query.executeTakeFirstOrThrow();
  return { count: Number(count), bytes: Number(bytes) };
}

export async function insertUnfinished(
  tx: WriteTx,
  { metadata, ...row }: Omit<UnfinishedUpload, 'begun_at' | 'received'>,
): Promise<void> {
  await tx.db
    .insertInto('unfinished_upload')
    .values({ ...row, metadata: JSON.stringify(metadata), received: 0, begun_at: tx.now })
    .execute();
}

export function findUnfinished(tx: RealmReadTx, pathId: string): Promise<UnfinishedUpload | undefined> {
  return tx.db
    .selectFrom('unfinished_upload')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('path_id', '=', pathId)
    .where('metadata', 'is not', null)
    .executeTakeFirst();
}

/**
 * Adds a stored piece where nobody else has added one and the file has room for it; whether it was. Of two requests that
 * send the same bytes, to whichever process, one is told that it came too late.
 */
export async function insertPiece(tx: WriteTx, piece: UploadPiece): Promise<boolean> {
  const { path_id, realm_id, first_byte } = piece;
  const end = first_byte + piece.size;
  const { numUpdatedRows } = await tx.db
    .updateTable('unfinished_upload')
    .set({ received: end })
    .where('realm_id', '=', realm_id)
    .where('path_id', '=', path_id)
    .where('received', '=', first_byte)
    .where('size', '>=', end)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await tx.db.insertInto('upload_piece').values(piece).execute();
  return true;
}

/** The stored pieces of an upload, in their order. */
export function listPieces(tx: RealmReadTx, pathId: string): Promise<readonly UploadPiece[]> {
  return tx.db
    .selectFrom('upload_piece')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('path_id', '=', pathId)
    .orderBy('first_byte')
    .execute();
}

export async function countPieces(tx: RealmReadTx, pathId: string): Promise<number> {
  const { count } = await tx.db
    .selectFrom('upload_piece')
    .select(sql<number>`count(*)`.as('count'))
    .where('realm_id', '=', tx.realmId)
    .where('path_id', '=', pathId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Forgets an upload that is finished or was given up, and its pieces; whether it was there. */
export async function deleteUnfinished(tx: WriteTx, pathId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('unfinished_upload')
    .where('path_id', '=', pathId)
    .executeTakeFirstOrThrow();
  await tx.db.deleteFrom('upload_piece').where('path_id', '=', pathId).execute();
  return numDeletedRows > 0n;
}

/** Uploads that were begun before a time, in seconds since 1970. */
export function listUnfinishedBefore(
  tx: ReadTx,
  before: number,
  limit: number,
): Promise<readonly Pick<UnfinishedUpload, 'path_id' | 'realm_id'>[]> {
  return tx.db
    .selectFrom('unfinished_upload')
    .select(['path_id', 'realm_id'])
    .where('begun_at', '<', before)
    .orderBy('begun_at')
    .limit(limit)
    .execute();
}

/** Those of the tokens that no piece has. For the sweep of the store, which is shared. */
export async function withoutPiece(tx: ReadTx, tokens: readonly string[]): Promise<ReadonlySet<string>> {
  const left = new Set(tokens);
  const rows = await tx.db
    .selectFrom('upload_piece')
    .select('token')
    .where(tx.dialect.anyOfText('token', tokens))
    .execute();
  for (const { token } of rows) left.delete(token);
  return left;
}
