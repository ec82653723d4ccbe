import { constantTimeEqual, deriveKey } from '#kernel/auth';
import type { PageRequest, PageResponse } from '#kernel/endpoint';
import type { Context } from '#kernel/context';
import { networkOf } from '#kernel/limits';
import { lenientObject, readAs, str } from '#kernel/schema';
import { sha256 } from '#kernel/secretbox';
import { parseJson } from '#kernel/text';
import { findServer, findServerByHost, insertServer, setServer } from './queries.ts';
import { accept, badRequest, Refused } from './reading.ts';
import type { GatewayServer } from './tables.ts';
import { openToken, sealToken } from './tickets.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i;
const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;
/** Characters of a server's key, and most characters of its host name. */
const KEY_LENGTH = 64;
const MAX_HOST = 128;
/** Seconds within which a server must prove that a host name is its own. */
const TICKET_SECONDS = 30;

/** SHA-256 in Base64: the stored form of long random secrets. */
export function digest(text: string): string {
  return sha256(text, 'base64');
}

/** Finds the server by the credentials of a request. */
export async function serverOf(request: PageRequest): Promise<GatewayServer> {
  const [scheme, encoded = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'basic')
    throw new Refused(401, 'UNAUTHORIZED', 'Missing authorization header for basic auth');
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  const [uuid, key] = [text.slice(0, colon), text.slice(colon + 1)];
  const find = () => request.context.store.query((tx) => findServer(tx, uuid.toLowerCase()));
  const server = await openByServerKey(request, uuid.toLowerCase(), key, find);
  assertKey(server, uuid, key);
  return server;
}

/**
 * Finds the server of a key. The attempt is counted for the network before the check, and given back if the key is
 * right; a server that was let in from there has a count of its own, because it makes many requests at once. Throws
 * RATE_LIMIT_HIT.
 */
async function openByServerKey(
  { context: { limits }, address }: PageRequest,
  uuid: string,
  key: string,
  find: () => Promise<GatewayServer | undefined>,
): Promise<GatewayServer | undefined> {
  const network = networkOf(address);
  const pair = `gateway ${uuid.slice(0, 40)} ${network}`;
  const isKnown = await limits.has('known-network', pair);
  if (isKnown) await limits.check('wrong-link', pair);
  else await limits.take('wrong-link', network);
  const server = await find();
  const isRight = server !== undefined && constantTimeEqual(digest(key), server.key_hash);
  if (isKnown && !isRight) await limits.take('wrong-link', pair);
  if (isKnown || !isRight) return server;
  await limits.giveBack('wrong-link', network);
  await limits.take('known-network', pair);
  return server;
}

function assertKey(server: GatewayServer | undefined, uuid: string, key: string): asserts server is GatewayServer {
  const code = 'INVALID_ZULIP_SERVER';
  if (!server)
    throw new Refused(
      400,
      code,
      `Zulip server auth failure: ${uuid.slice(0, 40)} is not registered -- did you run \`manage.py register_server\`?`,
    );
  if (!constantTimeEqual(digest(key), server.key_hash))
    throw new Refused(400, code, `Zulip server auth failure: key does not match role ${uuid.slice(0, 40)}`);
  if (server.is_deactivated)
    throw new Refused(
      401,
      'REALM_DEACTIVATED',
      'The mobile push notification service registration for your server has been deactivated',
    );
}

/** Opens an account, or changes it. docs/push-gateway.md, "An account". */
export async function registerServer(request: PageRequest, isOpen: boolean): Promise<PageResponse> {
  const form = await request.form();
  const [uuid, key, newKey] = [
    form.get('zulip_org_id') ?? '',
    form.get('zulip_org_key') ?? '',
    form.get('new_org_key'),
  ];
  const [hostname, contact_email] = [(form.get('hostname') ?? '').toLowerCase(), form.get('contact_email') ?? ''];
  if (!UUID.test(uuid)) throw badRequest('Invalid UUID');
  for (const one of [key, newKey ?? key])
    if (one.length !== KEY_LENGTH)
      throw badRequest(`zulip_org_key has incorrect length ${one.length}; should be ${KEY_LENGTH}`);
  if (!isHost(hostname)) throw badRequest(`${hostname} is not a valid hostname`);
  if (contact_email.length > 320 || !EMAIL.test(contact_email)) throw badRequest('Enter a valid email address.');
  const { store, limits } = request.context;
  const known = await store.query((tx) => findServer(tx, uuid));
  if (known) await openByServerKey(request, uuid, key, () => Promise.resolve(known));
  // Anybody may open accounts, and each is kept.
  else await limits.take('wrong-link', networkOf(request.address));
  if (!known && isOpen) await limits.take('gateway-account', networkOf(request.address));
  return store.write(async (tx) => {
    const server = await findServer(tx, uuid);
    if (server) assertKey(server, uuid, key);
    const holder = await findServerByHost(tx, hostname);
    if (holder && holder.uuid !== uuid) throw hostTaken(hostname);
    const about = { hostname, contact_email, key_hash: digest(newKey ?? key), seen_at: tx.now };
    if (server) {
      await setServer(tx, server.id, about);
      return accept({ created: false });
    }
    if (!isOpen)
      throw new Refused(403, 'REGISTRATION_CLOSED', 'This push gateway takes no new servers; ask who runs it');
    const counters = { last_realm_count_id: 0, last_installation_count_id: 0, last_realmauditlog_id: 0 };
    const row = { uuid, ...about, ...counters, is_deactivated: false, created_at: tx.now };
    if (!(await insertServer(tx, row))) throw hostTaken(hostname);
    return accept({ created: true });
  });
}

const hostTaken = (hostname: string) =>
  new Refused(400, 'HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR', `A server with hostname ${hostname} already exists`, {
    hostname,
  });

function isHost(hostname: string): boolean {
  return hostname.length <= MAX_HOST && HOST.test(hostname);
}

/** Begins the transfer of a host name's account to the server that answers there. */
export async function beginTransfer(request: PageRequest): Promise<PageResponse> {
  const hostname = await knownHost(request.context, await request.form());
  return accept({
    verification_secret: await sealToken(ticketKey(request.context), [endOf(request.context), hostname]),
  });
}

const answered = lenientObject({ verification_secret: str() });

/** Asks the host whether its server began the transfer, and gives it new credentials. */
export async function endTransfer(request: PageRequest): Promise<PageResponse> {
  const { context } = request;
  const form = await request.form();
  const hostname = await knownHost(context, form);
  const token = form.get('access_token') ?? '';
  if (!/^[\w-]{1,2000}$/.test(token)) throw badRequest('Invalid access_token');
  const url = `https://${hostname}/api/v1/zulip-services/verify/${token}/`;
  const reply = await context.outbound.fetch({ url, maxRedirects: 0, maxBytes: 65_536 }).catch(() => undefined);
  if (!reply) throw badRequest('Failed to connect to the hostname');
  const secret = readAs(answered, parseJson(reply.body.toString()))?.verification_secret;
  if (secret === undefined)
    throw new Refused(400, 'REMOTE_SERVER_VERIFICATION_SECRET_NOT_PREPARED', 'Verification secret not prepared');
  const [endsAt, host] = (await openToken(ticketKey(context), secret)) ?? [];
  if (host !== hostname) throw badRequest('The verification secret is invalid');
  if (Number(endsAt) < context.clock.now()) throw badRequest('The verification secret has expired');
  const key = context.clock.token(KEY_LENGTH);
  return context.store.write(async (tx) => {
    const server = await findServerByHost(tx, hostname);
    if (!server) throw unknownHost(hostname);
    await setServer(tx, server.id, { key_hash: digest(key), seen_at: tx.now });
    return accept({ zulip_org_id: server.uuid, zulip_org_key: key });
  });
}

async function knownHost({ store }: Context, form: ReadonlyMap<string, string>): Promise<string> {
  const hostname = (form.get('hostname') ?? '').toLowerCase();
  if (!isHost(hostname)) throw badRequest(`${hostname} is not a valid hostname`);
  const server = await store.query((tx) => findServerByHost(tx, hostname));
  if (!server) throw unknownHost(hostname);
  if (server.is_deactivated) assertKey(server, '', '');
  return hostname;
}

const unknownHost = (hostname: string) => badRequest(`${hostname} not yet registered`);

function endOf({ clock }: Context): number {
  return clock.now() + TICKET_SECONDS;
}

function ticketKey({ server }: Context): Uint8Array {
  return Buffer.from(deriveKey(server.secret, 'push gateway: transfers'));
}
