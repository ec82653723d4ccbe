import { randomUUID } from 'node:crypto';
import { deriveKey } from '#kernel/auth';
import type { Clock } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { page, type PageResponse } from '#kernel/endpoint';
import { bool, lenientObject, str } from '#kernel/schema';
import { KEY_BYTES, lockBox, unlockBox } from '#kernel/secretbox';
import { askGateway, type GatewayAnswer, readAs } from '../gateway.ts';

/** Characters of a server's key, and seconds for which a challenge can be answered. docs/push-gateway.md, "An account". */
const KEY_LENGTH = 64;
const CHALLENGE_SECONDS = 60;

/** How the push service knows a server. */
export interface Account {
  readonly id: string;
  readonly key: string;
}

/** Where the service reaches the server and its operator. */
export interface Contact {
  readonly hostname: string;
  readonly email: string;
}

/** Name and key for a server that has none yet. */
export function makeAccount(clock: Pick<Clock, 'token'>): Account {
  return { id: randomUUID(), key: clock.token(KEY_LENGTH) };
}

/** What became of a request: the value, or what the service said against it. */
export type Said<T> =
  | { readonly value: T }
  | { readonly refusal: Exclude<GatewayAnswer, { readonly kind: 'accepted' }> };

type Asking = Pick<Context, 'pushGateway' | 'log'>;

/** Opens an account at the service, changes who its contact is, or gives it another key. */
export async function registerServer(
  context: Asking,
  { id, key }: Account,
  { hostname, email }: Contact,
  newKey?: string,
): Promise<Said<{ readonly created: boolean }>> {
  const form = {
    zulip_org_id: id,
    zulip_org_key: key,
    hostname,
    contact_email: email,
    ...(newKey !== undefined && { new_org_key: newKey }),
  };
  return read(await askGateway(context, '/server/register', { form }), lenientObject({ created: bool() }));
}

/**
 * Takes an account over that the service keeps for this host name: it calls back, and the server that answers there has it. The
 * running server answers (`challengePage`); it needs no word from the command, because the secret is in the address.
 */
export async function transferServer(
  context: Asking & Pick<Context, 'server' | 'clock'>,
  hostname: string,
): Promise<Said<Account>> {
  const challenge = lenientObject({ verification_secret: str() });
  const asked = read(await askGateway(context, '/server/register/transfer', { form: { hostname } }), challenge);
  if ('refusal' in asked) return asked;
  const access_token = await sealChallenge(context, asked.value.verification_secret);
  const answer = await askGateway(context, '/server/register/verify_challenge', { form: { hostname, access_token } });
  const account = read(answer, lenientObject({ zulip_org_id: str(), zulip_org_key: str() }));
  if ('refusal' in account) return account;
  return { value: { id: account.value.zulip_org_id, key: account.value.zulip_org_key } };
}

/** Ends the account. */
export async function deactivateServer(context: Asking): Promise<Said<unknown>> {
  return read(await askGateway(context, '/server/deactivate', { form: {} }), lenientObject({}));
}

function read<T>(answer: GatewayAnswer, schema: Parameters<typeof readAs<T>>[0]): Said<T> {
  if (answer.kind !== 'accepted') return { refusal: answer };
  const value = readAs(schema, answer.body);
  return value === undefined ? { refusal: { kind: 'unreachable' } } : { value };
}

/** The service's secret as part of an address of this server, for a minute. */
export async function sealChallenge(
  { server, clock }: Pick<Context, 'server' | 'clock'>,
  secret: string,
): Promise<string> {
  const plain = JSON.stringify([clock.now() + CHALLENGE_SECONDS, secret]);
  return Buffer.from(await lockBox(challengeKey(server.secret), Buffer.from(plain))).toString('base64url');
}

/** The service's secret in an address that this server made; undefined when it did not, or too long ago. */
async function openChallenge(
  { server, clock }: Pick<Context, 'server' | 'clock'>,
  token: string,
): Promise<string | undefined> {
  const plain = await unlockBox(challengeKey(server.secret), Buffer.from(token, 'base64url'));
  if (!plain) return undefined;
  const value: unknown = JSON.parse(Buffer.from(plain).toString());
  const [endsAt, secret] = Array.isArray(value) ? value.map(String) : [];
  return Number(endsAt) >= clock.now() ? secret : undefined;
}

function challengeKey(secret: string): Uint8Array {
  return Buffer.from(deriveKey(secret, 'push service: challenge')).subarray(0, KEY_BYTES);
}

const json = { 'content-type': 'application/json' };

/**
 * Answers the push service when the server's account is moved to new credentials: only who answers for the host name gets
 * them. docs/push-gateway.md, "An account".
 */
export const challengePage = page({
  methods: ['GET'],
  path: '/api/v1/zulip-services/verify/{token}',
  isBare: true,
  handle: async (request): Promise<PageResponse> => {
    const verification_secret = await openChallenge(request.context, request.path['token'] ?? '');
    if (verification_secret !== undefined)
      return { headers: json, body: JSON.stringify({ result: 'success', msg: '', verification_secret }) };
    const code = 'REMOTE_SERVER_VERIFICATION_SECRET_NOT_PREPARED';
    const refusal = { result: 'error', msg: 'Verification secret not prepared', code };
    return { status: 400, headers: json, body: JSON.stringify(refusal) };
  },
});
