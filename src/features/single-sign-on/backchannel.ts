import { deleteSessionsOfProvider, type RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
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
/** Seconds for which a token is good at most, and so how long its name is remembered. */
const MAX_SECONDS = 600;
/** Longest token that is looked at, in characters. */
const MAX_TOKEN = 16_000;

/** What a logout token says besides what its signature is checked with (OpenID Connect Back-Channel Logout 1.0, 2.4). */
const shape = lenientObject({
  iat: int(),
  jti: text({ min: 1, max: 255 }),
  sub: maybe(text({ min: 1, max: 255 })),
  sid: maybe(text({ min: 1, max: 255 })),
  events: lenientObject({ [EVENT]: lenientObject({}) }),
});

/** Where providers say that somebody has logged out there. See protocol/authentication#logging-out. */
export const backchannelPage = page({
  methods: ['POST'],
  path: '/accounts/logout/backchannel/{provider}',
  handle: async (request) => {
    const provider = hasRealm(request) ? await findOpenid(request) : undefined;
    const { realm, context, address } = request;
    if (!realm || !provider) return refuse(404, 'no such provider');
    try {
      await context.limits.take('external-sign-in', networkOf(address));
      const { subject, session } = await readToken(
        context,
        realm,
        provider,
        (await request.form()).get('logout_token'),
      );
      await context.store.in(realm).write(async (tx) => {
        const userIds = await deleteSessionsOfProvider(tx, provider.id, { subject, session });
        await deleteQueuesOf(tx, userIds);
      });
      return { status: 200, headers: NEVER_KEPT };
    } catch (error) {
      if (error instanceof ApiError) return refuse(error.row.status, 'too many requests');
      if (!(error instanceof ProviderFault)) throw error;
      const { reason, code } = error;
      context.log.warn({ provider: provider.id, reason, code }, 'a logout token of a provider was refused');
      return refuse(400, 'the logout token is not valid');
    }
  },
});

const NEVER_KEPT = { 'cache-control': 'no-store' } as const;

function refuse(status: number, error_description: string): PageResponse {
  return {
    status,
    headers: { ...NEVER_KEPT, 'content-type': 'application/json' },
    body: JSON.stringify({ error: 'invalid_request', error_description }),
  };
}

async function findOpenid({ context, path, realm }: RealmRequest): Promise<OpenidProvider | undefined> {
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  const found = providersOf(context, realm, settings).find(({ id }) => id === path['provider']);
  return found?.kind === 'openid' ? found : undefined;
}

/**
 * Whose session a token ends: signed by the provider, for us, fresh, about a log-out and nothing else (an ID token has a
 * nonce, or no such event), and used once (Back-Channel Logout 1.0, 2.6).
 */
async function readToken(
  context: Context,
  realm: RealmRef,
  provider: OpenidProvider,
  token: string | undefined,
): Promise<{ readonly subject: string | undefined; readonly session: string | undefined }> {
  if (token === undefined || token.length > MAX_TOKEN) throw new ProviderFault('untrue', 'no token');
  const claims = await clientOf(context).verified(provider, token);
  const read = firstFault(shape, 'token', claims);
  if ('fault' in read) throw new ProviderFault('untrue', 'another shape');
  const { iat, jti, sub, sid } = read.value;
  if ('nonce' in claims) throw new ProviderFault('untrue', 'a nonce');
  if (sub === undefined && sid === undefined) throw new ProviderFault('untrue', 'nobody');
  const now = context.clock.now();
  if (Math.abs(now - iat) > MAX_SECONDS) throw new ProviderFault('untrue', 'too old');
  const name = `logout ${provider.id} ${jti}`;
  if (!(await context.store.in(realm).write((tx) => spend(tx, name, 2 * MAX_SECONDS))))
    throw new ProviderFault('untrue', 'used before');
  return { subject: sub, session: sid };
}
