import { randomUUID } from 'node:crypto';
import { deriveKey } from '#kernel/auth';
import type { Clock } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { page, type PageResponse } from '#kernel/endpoint';
import { bool, lenientObject, readAs, str } from '#kernel/schema';
import { KEY_BYTES, lockBox, unlockBox } from '#kernel/secretbox';
import { askGateway, type GatewayAnswer } from '../gateway.ts';

/**
 * Characters of a server's key, and seconds within which a challenge can be answered. docs/push-gateway.md, "An
 * account".
 */
const KEY_LENGTH = 64;
const CHALLENGE_SECONDS = 60;

/** A server's ID and key at the push service. */
export interface Account {
  readonly id: string;
  readonly key: string;
}

/** How the service reaches the server and its operator. */
export interface Contact {
  readonly hostname: string;
  readonly email: string;
}

/** Makes ID and key for a server that has none yet. */
export function makeAccount(clock: Pick<Clock, 'token'>): Account {
  return { id: randomUUID(), key: clock.token(KEY_LENGTH) };
}

/** Result of a request: the value, or the service's refusal. */
export type Said<T> =
  | { readonly value: T }
  | { readonly refusal: Exclude<GatewayAnswer, { readonly kind: 'accepted' }> };

type Asking = Pick<Context, 'pushGateway' | 'log'>;

/** Opens an account at the service, changes its contact, or gives it another key. */
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
 * Takes over the account that the service has for this host name: the service calls back, and the server that answers
 * there gets it. The running server answers (`challengePage`) without a message from this command, because the secret
 * is in the address.
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

/** Seals the service's secret into an address of this server, for a minute. */
export async function sealChallenge(
  { server, clock }: Pick<Context, 'server' | 'clock'>,
  secret: string,
): Promise<string> {
  const plain = JSON.stringify([clock.now() + CHALLENGE_SECONDS, secret]);
  return Buffer.from(await lockBox(challengeKey(server.secret), Buffer.from(plain))).toString('base64url');
}

/** Opens the service's secret in an address; undefined if this server did not make the address, or too long ago. */
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
 * Answers the push service when the server's account moves to new credentials: only the server that answers for the
 * host name gets them. docs/push-gateway.md, "An account".
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
