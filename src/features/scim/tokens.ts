import { record } from '#kernel/audit';
import type { RealmRef } from '#kernel/auth';
import type { Context, ReadContext } from '#kernel/context';
import { apiError } from '#kernel/errors';
import { holdLog } from '#kernel/events';
import { networkOf } from '#kernel/limits';
import type { RealmRequest } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { isOwner } from '#kernel/permissions';
import { sha256 } from '#kernel/secretbox';
import type { RealmReadTx } from '#kernel/store';
import { findUsers, type UserRow } from '#features/users';
import { deleteToken, findToken, insertToken, listTokens, setTokenUsed } from './queries.ts';
import { ScimFault } from './fault.ts';
import type { ScimTokenRow } from './tables.ts';

/** Characters of a token after its prefix: 256 bits. People and secret scanners recognize a token by the prefix. */
const TOKEN_LENGTH = 43;
const PREFIX = 'roost-scim-';
/** Most tokens that the owners of an organization may make. */
const MAX_TOKENS = 20;
export const TooManyTokens = apiError({ message: `There are ${MAX_TOKENS} tokens already. Revoke one first.` });
/** Seconds after a recorded use during which further uses are not recorded. */
const USE_SECONDS = 3600;

/** Makes a token and returns it; only its hash is stored. The operator makes one without an owner. */
export async function addToken(
  { store, clock }: Context,
  realm: RealmRef,
  name: string,
  owner?: UserId,
): Promise<string> {
  const token = PREFIX + clock.token(TOKEN_LENGTH);
  await store.in(realm).write(async (tx) => {
    await holdLog(tx);
    if (owner !== undefined && (await listTokens(tx)).length >= MAX_TOKENS) throw TooManyTokens();
    const id = await insertToken(tx, { name, token_hash: sha256(token), owner_id: owner ?? null });
    record(tx, { action: 'scim.token_added', target: { kind: 'scim_token', id, name } });
  });
  return token;
}

/** Revokes a token; returns false if there is none with this ID. */
export function revokeToken({ store }: Context, realm: RealmRef, id: number): Promise<boolean> {
  return store.in(realm).write(async (tx) => {
    const isEnded = await deleteToken(tx, id);
    if (isEnded) record(tx, { action: 'scim.token_revoked', target: { kind: 'scim_token', id } });
    return isEnded;
  });
}

/** The tokens of an organization, oldest first, and whether each still works. */
export function tokensOf(
  { store }: { readonly store: Pick<ReadContext['store'], 'in'> },
  realm: RealmRef,
): Promise<readonly (ScimTokenRow & { readonly works: boolean })[]> {
  return store.in(realm).query(async (tx) => {
    const rows = await listTokens(tx);
    const makers = await findUsers(
      tx,
      rows.flatMap((row) => row.owner_id ?? []),
    );
    return rows.map((row) => ({ ...row, works: isVouchedFor(row, makers) }));
  });
}

/** Whether who made a token, and knows it, could make it now. */
function isVouchedFor({ owner_id }: ScimTokenRow, makers: ReadonlyMap<UserId, UserRow>): boolean {
  if (owner_id === null) return true;
  const maker = makers.get(owner_id);
  return maker?.is_active === true && isOwner(maker);
}

async function findWorking(tx: RealmReadTx, token: string): Promise<ScimTokenRow | undefined> {
  const row = await findToken(tx, sha256(token));
  if (!row) return undefined;
  return isVouchedFor(row, await findUsers(tx, row.owner_id === null ? [] : [row.owner_id])) ? row : undefined;
}

/**
 * Returns the token of a request; throws 401, and 429 after many wrong tokens from one network or too many requests
 * with a token in a minute. See protocol/scim#tokens.
 */
export async function admit({ context, headers, address, realm }: RealmRequest): Promise<ScimTokenRow> {
  const token = /^Bearer +(\S{1,200})$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const isShaped = token.startsWith(PREFIX);
  const row = isShaped ? await context.store.in(realm).query((tx) => findWorking(tx, token)) : undefined;
  if (!row || realm.isDeactivated) {
    await context.limits.take('wrong-link', networkOf(address));
    context.log.room('scim').warn({}, 'a token of nobody was refused');
    throw new ScimFault(401, 'A token of this organization is needed: Authorization: Bearer …');
  }
  await context.limits.take('directory-token', String(row.id));
  if (row.last_used_at === null || row.last_used_at + USE_SECONDS <= context.clock.now())
    await context.store.in(realm).write((tx) => setTokenUsed(tx, row.id));
  return row;
}
