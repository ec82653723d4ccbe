import { deleteSessionsOfProvider } from '#kernel/auth';
import { hasRealm, page, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { ApiError } from '#kernel/errors';
import { deleteQueuesOf } from '#kernel/events';
import type { OpenidProvider } from '#kernel/identity';
import { networkOf } from '#kernel/limits';
import { firstFault, int, lenientObject, maybe, text } from '#kernel/schema';
import { readRealm, settingsOf } from '#features/realms';
import { providersOf, spend } from '#features/sign-in';
import { clientOf } from './pages.ts';
import { ProviderFault } from './vouched.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Longest validity of a token in seconds, and so how long its ID is remembered. */
const MAX_SECONDS = 600;
/** Longest token that is read, in characters. */
const MAX_TOKEN = 16_000;

/**
 * Claims of a logout token, besides those that are verified along with its signature (OpenID Connect Back-Channel
 * Logout 1.0, 2.4).
 */
const shape = lenientObject({
  iat: int(),
  jti: text({ min: 1, max: 255 }),
  sub: maybe(text({ min: 1, max: 255 })),
  sid: maybe(text({ min: 1, max: 255 })),
  events: lenientObject({ [EVENT]: lenientObject({}) }),
});

/**
 * Receives logout tokens, with which providers report that somebody has logged out there. See
 * protocol/authentication#logging-out.
 */
export const backchannelPage = page({
  methods: ['POST'],
  path: '/accounts/logout/backchannel/{provider}',
  handle: async (request) => {
    const provider = hasRealm(request) ? await findOpenid(request) : undefined;
    if (!hasRealm(request) || !provider) return refuse(404, 'no such provider');
    const { realm, context, address } = request;
    try {
      await context.limits.take('external-sign-in', networkOf(address));
      const { subject, session } = await readToken(request, provider);
      await context.store.in(realm).write(async (tx) => {
        const userIds = await deleteSessionsOfProvider(tx, provider.id, { subject, session });
        await deleteQueuesOf(tx, userIds);
      });
      return { status: 200, headers: NO_STORE };
    } catch (error) {
      if (error instanceof ApiError) return refuse(error.row.status, 'too many requests');
      if (!(error instanceof ProviderFault)) throw error;
      const { reason, code } = error;
      context.log.warn({ provider: provider.id, reason, code }, 'a logout token of a provider was refused');
      return refuse(400, 'the logout token is not valid');
    }
  },
});

const NO_STORE = { 'cache-control': 'no-store' } as const;

function refuse(status: number, error_description: string): PageResponse {
  return {
    status,
    headers: { ...NO_STORE, 'content-type': 'application/json' },
    body: JSON.stringify({ error: 'invalid_request', error_description }),
  };
}

async function findOpenid({ context, path, realm }: RealmRequest): Promise<OpenidProvider | undefined> {
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  const found = providersOf(context, realm, settings).find(({ id }) => id === path['provider']);
  return found?.kind === 'openid' ? found : undefined;
}

/**
 * Verifies a token and returns whose session ends. The token must be signed by the provider, addressed to this server,
 * fresh, about a log-out and nothing else (an ID token has a nonce, or no such event), and used once (Back-Channel
 * Logout 1.0, 2.6).
 */
async function readToken(
  request: RealmRequest,
  provider: OpenidProvider,
): Promise<{ readonly subject: string | undefined; readonly session: string | undefined }> {
  const { context, realm } = request;
  const token = (await request.form()).get('logout_token');
  if (token === undefined || token.length > MAX_TOKEN) throw new ProviderFault('invalid', 'no token');
  const claims = await clientOf(context).verified(provider, token);
  const read = firstFault(shape, 'token', claims);
  if ('fault' in read) throw new ProviderFault('invalid', 'another shape');
  const { iat, jti, sub, sid } = read.value;
  if ('nonce' in claims) throw new ProviderFault('invalid', 'a nonce');
  if (sub === undefined && sid === undefined) throw new ProviderFault('invalid', 'nobody');
  const now = context.clock.now();
  if (Math.abs(now - iat) > MAX_SECONDS) throw new ProviderFault('invalid', 'too old');
  const name = `logout ${provider.id} ${jti}`;
  if (!(await context.store.in(realm).write((tx) => spend(tx, name, 2 * MAX_SECONDS))))
    throw new ProviderFault('invalid', 'used before');
  return { subject: sub, session: sid };
}
