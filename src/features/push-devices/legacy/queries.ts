import type { UserId } from '#kernel/ids';
import type { RealmReadTx, RealmWriteTx, WriteTx } from '#kernel/store';
import { NO_OUTCOME } from '../queries.ts';
import type { TokenKind, TokenRow } from '../tables.ts';

/** A user's tokens, oldest first. */
export function listTokens(tx: RealmReadTx, userId: UserId): Promise<readonly TokenRow[]> {
  return tx.db
    .selectFrom('push_token')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** Stores a token; returns false if the user has it already: then it ends with the key that it was last sent with. */
export async function insertToken(tx: WriteTx, row: Omit<TokenRow, 'id' | keyof typeof NO_OUTCOME>): Promise<boolean> {
  const { user_id, device_key_id, kind, token_hash } = row;
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('push_token')
    .values({ ...row, ...NO_OUTCOME })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if ((numInsertedOrUpdatedRows ?? 0n) > 0n) return true;
  await tx.db
    .updateTable('push_token')
    .set({ device_key_id })
    .where('realm_id', '=', row.realm_id)
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('token_hash', '=', token_hash)
    .execute();
  return false;
}

/** Deletes a user's token; returns false if there was none. */
export async function deleteToken(
  tx: RealmWriteTx,
  userId: UserId,
  token: { readonly kind: TokenKind; readonly hash: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('push_token')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('kind', '=', token.kind)
    .where('token_hash', '=', token.hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Bytes of a token's hash that are its ID. See protocol/push#registering, `token_id`. */
const ID_BYTES = 8;

/** Deletes a user's tokens with this ID. See protocol/push#registering. */
export async function deleteTokensById(tx: RealmWriteTx, userId: UserId, tokenId: string): Promise<void> {
  const rows = await listTokens(tx, userId);
  const doomed = rows.filter((row) => tokenIdOf(row) === tokenId);
  if (doomed.length > 0) await deleteTokenRows(tx, doomed);
}

/** Deletes tokens by their rows. */
export async function deleteTokenRows(tx: RealmWriteTx, rows: readonly Pick<TokenRow, 'id'>[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  await tx.db.deleteFrom('push_token').where('realm_id', '=', tx.realmId).where(tx.dialect.anyOf('id', ids)).execute();
}

function tokenIdOf({ token_hash }: TokenRow): string {
  return Buffer.from(token_hash, 'base64').subarray(0, ID_BYTES).toString('base64');
}

/** Deletes all of a user's tokens and returns how many there were. */
export async function deleteTokens(tx: RealmWriteTx, userId: UserId): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('push_token')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
