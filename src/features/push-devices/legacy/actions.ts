import { readRealm } from '#features/realms';
import { type Actor, deviceKeyOf } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { defineJob, enqueue } from '#kernel/jobs';
import type { RealmWriteTx } from '#kernel/store';
import type { Context } from '#kernel/context';
import { NoSuchToken } from '../errors.ts';
import { askGateway, assertAccepted, isTransient } from '../gateway.ts';
import type { TokenKind, TokenRow } from '../tables.ts';
import { deleteToken, deleteTokenRows, insertToken, listTokens } from './queries.ts';
import { assertToken, hashOf, identityOf, KIND_NUMBER, toSentToken } from './token.ts';

/** A client's token. */
export interface Token {
  readonly kind: TokenKind;
  readonly token: string;
  readonly app_id: string | null;
}

/** A request to the push service about a token. */
interface Forwarded {
  readonly path: '/push/register' | '/push/unregister' | '/push/unregister/all';
  readonly form: Readonly<Record<string, string>>;
}

/** Tells the push service about a token that was added or removed; repeats until it succeeds. */
export const forwardTokenJob = defineJob<Forwarded, Context>(
  'push-token',
  async ({ path, form }, { context }) => {
    if (!context.pushGateway) return;
    const answer = await askGateway(context, path, { form });
    if (isTransient(answer)) throw new Error('the push service could not be told of a token');
    if (answer.kind === 'refused') {
      const { status, code } = answer;
      context.log.room('push').warn({ path, status, code }, 'the push service refused to be told of a token');
    }
  },
  'phones',
);

/** Most tokens of a person; a further one replaces the oldest. See protocol/push#older-tokens. */
const MAX_TOKENS = 100;

/** Stores a token of the caller; idempotent. See protocol/push#older-tokens. */
export async function addToken(context: Context, actor: Actor, given: Token): Promise<void> {
  const { realmId, userId } = actor;
  const { kind, token, app_id } = given;
  assertToken(kind, token);
  await context.store.of(realmId).write(async (tx) => {
    const own = { realm_id: realmId, user_id: userId, device_key_id: deviceKeyOf(actor) };
    if (!(await insertToken(tx, { ...own, kind, token, token_hash: hashOf(token), app_id }))) return;
    const doomed = (await listTokens(tx, userId)).slice(0, -MAX_TOKENS);
    await endTokens(context, tx, userId, doomed);
    if (!context.pushGateway) return;
    const { uuid } = await readRealm(tx);
    const form = { ...formOf(uuid, userId, given), ...(app_id !== null && { ios_app_id: app_id }) };
    await enqueue(tx, forwardTokenJob, { path: '/push/register', form });
  });
}

/** Deletes tokens of somebody, here and at the push service. */
async function endTokens(
  context: Context,
  tx: RealmWriteTx,
  userId: UserId,
  doomed: readonly TokenRow[],
): Promise<void> {
  if (doomed.length === 0) return;
  await deleteTokenRows(tx, doomed);
  if (!context.pushGateway) return;
  const { uuid } = await readRealm(tx);
  for (const old of doomed)
    await enqueue(tx, forwardTokenJob, { path: '/push/unregister', form: formOf(uuid, userId, old) });
}

/** Deletes the tokens that somebody's app registered with a device key. */
export async function endTokensOfKey(context: Context, tx: RealmWriteTx, userId: UserId, keyId: number): Promise<void> {
  const all = await listTokens(tx, userId);
  await endTokens(
    context,
    tx,
    userId,
    all.filter(({ device_key_id }) => device_key_id === keyId),
  );
}

/** Deletes a token of the caller; for an unknown token the push service decides. See protocol/push#older-tokens. */
export async function removeToken(
  context: Context,
  { realmId, userId }: Actor,
  kind: TokenKind,
  token: string,
): Promise<void> {
  assertToken(kind, token);
  const { wasKnown, form } = await context.store.of(realmId).write(async (tx) => {
    const known = await deleteToken(tx, userId, { kind, hash: hashOf(token) });
    const { uuid } = await readRealm(tx);
    const form = formOf(uuid, userId, { kind, token });
    if (known && context.pushGateway) await enqueue(tx, forwardTokenJob, { path: '/push/unregister', form });
    return { wasKnown: known, form };
  });
  if (wasKnown) return;
  if (!context.pushGateway) throw NoSuchToken();
  assertAccepted(await askGateway(context, '/push/unregister', { form }));
}

/** Queues the deletion of all of somebody's tokens at the push service, in the transaction that deletes them here. */
export async function forgetTokensLater(context: Context, tx: RealmWriteTx, userId: UserId): Promise<void> {
  if (!context.pushGateway) return;
  const { uuid } = await readRealm(tx);
  const form = textsOf(identityOf(uuid, userId));
  await enqueue(tx, forwardTokenJob, { path: '/push/unregister/all', form });
}

function formOf(uuid: string, userId: UserId, { kind, token }: Pick<Token, 'kind' | 'token'>) {
  return textsOf({
    ...identityOf(uuid, userId),
    token: toSentToken(kind, token),
    token_kind: KIND_NUMBER[kind],
  });
}

function textsOf(values: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
