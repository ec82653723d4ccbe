import type { RealmId, UserId } from '#kernel/ids';
import { type ReadTx, type RealmReadTx, sql, type WriteTx } from '#kernel/store';
import type { UnfinishedUpload, UploadPiece } from '../tables.ts';

/** Number of unfinished uploads, and the bytes reserved for them, whether received or not. */
interface Unfinished {
  readonly count: number;
  readonly bytes: number;
}

/** Counts the unfinished uploads of a person or an organization; of the whole server if neither is given. */
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
 * Adds a stored piece, and returns whether it was added: nobody else may have added bytes, and the file must have room
 * for it. Of two requests with the same bytes, at any process, only one succeeds.
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

/** Deletes an upload that was finished or given up, and its pieces; returns whether it existed. */
export async function deleteUnfinished(tx: WriteTx, pathId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('unfinished_upload')
    .where('path_id', '=', pathId)
    .executeTakeFirstOrThrow();
  await tx.db.deleteFrom('upload_piece').where('path_id', '=', pathId).execute();
  return numDeletedRows > 0n;
}

/** Lists uploads that were begun before a time, in seconds since 1970. */
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

/** Returns the tokens that no piece has, for the sweep of the file store, which all organizations share. */
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
