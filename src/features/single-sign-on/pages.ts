import { noOrganization, redirect, wordsFor } from '#features/pages';
import { readRealm, settingsOf } from '#features/realms';
import {
  confirm,
  enter,
  enterOrAsk,
  findIdentity,
  noteRefused,
  oneTimePadOf,
  providersOf,
  recordRefused,
  safeNext,
  spend,
} from '#features/sign-in';
import type { RealmRef } from '#kernel/auth';
import { hasRealm, page, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { ApiError, RateLimited } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import type { Provider } from '#kernel/identity';
import type { Context } from '#kernel/context';
import { networkOf } from '#kernel/limits';
import { ATTEMPT_SECONDS, type Attempt, attemptCookie, attemptOf, newAttempt, noAttempt } from './attempt.ts';
import { githubClaims } from './github.ts';
import { accountOf, type Refusal } from './joining.ts';
import { applyClaims } from './mapping.ts';
import { OpenidClient } from './openid.ts';
import { providerSession } from './provided.ts';
import { EXPIRED, notLoggedIn, refusalText } from './refusals.ts';
import { receiveAnswer, samlMetadata, samlPeer, samlSignInUrl, takeAnswer } from './saml/index.ts';
import { ProviderFault, type Secrets, type Vouched } from './vouched.ts';

const clients = new WeakMap<Context['identity'], OpenidClient>();

/** The client of a server's providers, which caches their discovery documents. */
export function clientOf(context: Context): OpenidClient {
  const client = clients.get(context.identity) ?? new OpenidClient(context);
  clients.set(context.identity, client);
  return client;
}

/** Finds a provider that people may sign in with here; a provider that is turned off counts as unknown. */
async function findProvider({ context, path, realm }: RealmRequest): Promise<Provider | undefined> {
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  return providersOf(context, realm, settings).find(({ id }) => id === path['provider']);
}

const beginPage = page({
  methods: ['GET'],
  path: '/accounts/login/social/{provider}',
  handle: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { url } = request;
    const { t } = wordsFor(request);
    const provider = await findProvider(request);
    if (!provider) return noSuchWay(request);
    const sent = url.searchParams.get('mobile_flow_otp');
    const pad = oneTimePadOf(sent);
    if (sent !== null && pad === undefined) return notLoggedIn(request, 400, t('logIn.badApp'));
    const next = safeNext(url.searchParams.get('next') ?? undefined);
    const confirm = url.searchParams.has('confirm') ? request.actor?.userId : undefined;
    const begun = await begin(request, provider, { next, pad, confirm });
    return 'refusal' in begun ? begun.refusal : redirect(begun.location, [begun.cookie]);
  },
});

/** Begins an attempt: returns the provider's address and the cookie, or a page that says why this is not possible. */
export async function begin(
  request: RealmRequest,
  provider: Provider,
  wanted: Pick<Attempt, 'next' | 'pad'> & { readonly connect?: UserId; readonly confirm?: UserId | undefined },
): Promise<{ readonly location: string; readonly cookie: string } | { readonly refusal: PageResponse }> {
  const { context, realm } = request;
  try {
    await context.limits.take('external-sign-in', networkOf(request.address));
    const attempt = newAttempt(context, { realm_id: realm.id, provider: provider.id, ...wanted });
    const secrets = secretsOf(attempt);
    const location =
      provider.kind === 'saml'
        ? await samlSignInUrl(request, provider, secrets)
        : await clientOf(context).authorizationUrl(provider, answerUrl(realm, provider), secrets);
    return { location, cookie: await attemptCookie(context, attempt) };
  } catch (error) {
    return { refusal: await failureOf(request, provider, error) };
  }
}

/**
 * The secrets that the provider's answer is checked against. To confirm something, people must authenticate there
 * again.
 */
function secretsOf({ confirm, ends_at, ...secrets }: Attempt): Secrets {
  return { ...secrets, notBefore: confirm === undefined ? undefined : ends_at - ATTEMPT_SECONDS };
}

function answerUrl(realm: RealmRef, { id }: Provider): string {
  return `${realm.url}/complete/${id}/`;
}

const answerPage = page({
  methods: ['GET'],
  path: '/complete/{provider}',
  handle: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { context } = request;
    const provider = await findProvider(request);
    if (!provider) return noSuchWay(request);
    const attempt = await attemptOf(request);
    // An answer that this browser did not ask for may be somebody else's and must never sign in (OAuth 2.0 BCP, 4.7).
    if (attempt?.provider !== provider.id) {
      noteRefused(context, 'provider', { provider: provider.id, why: 'no attempt' });
      return notLoggedIn(request, 400, EXPIRED);
    }
    const answered = await answer(request, provider, attempt);
    return withoutAttempt(context, answered);
  },
});

async function answer(request: RealmRequest, provider: Provider, attempt: Attempt): Promise<PageResponse> {
  const { context, realm } = request;
  try {
    await context.limits.take('external-sign-in', networkOf(request.address));
    if (attempt.connect !== undefined && attempt.connect !== request.actor?.userId)
      return notLoggedIn(request, 403, EXPIRED);
    const vouched = await ask(request, provider, secretsOf(attempt));
    if (attempt.confirm !== undefined) return await confirmBy(request, attempt, { provider, vouched });
    const settled = await accountOf(context, realm, {
      provider: provider.id,
      ofOtherKinds: ofOtherKinds(context, provider),
      vouched,
      connect: attempt.connect,
      signsUp: provider.sign_up ?? true,
      roles: provider.kind === 'github' ? undefined : provider.roles,
      once: { token: attempt.state, seconds: ATTEMPT_SECONDS },
    });
    if ('refusal' in settled) return await refused(request, provider, settled.refusal);
    if (attempt.connect !== undefined) return redirect('/accounts/connections/?connected');
    if (provider.kind !== 'github') await applyClaims(request, settled.user, { provider, vouched });
    const provided = await providerSession(context, provider, vouched);
    const destination = { next: attempt.next, pad: attempt.pad, provided };
    return provider.second_factor === true
      ? await enterOrAsk(request, settled.user, destination)
      : await enter(request, settled.user, destination);
  } catch (error) {
    return await failureOf(request, provider, error, BROUGHT);
  }
}

/** Query parameter with the token by which a browser takes a SAML provider's answer. */
const ANSWER = 'answer';

/**
 * Receives the form of a SAML provider's page. It comes from another site, so it carries no cookies; the answer is
 * verified here, and compared with this browser's own attempt on the page that it redirects to.
 */
const receivePage = page({
  methods: ['POST'],
  path: '/complete/{provider}',
  handle: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { context, address } = request;
    const provider = await findProvider(request);
    if (provider?.kind !== 'saml') return noSuchWay(request);
    try {
      await context.limits.take('external-sign-in', networkOf(address));
      const fields = await request.form();
      const token = await receiveAnswer(request, provider, fields.get('SAMLResponse') ?? '');
      return redirect(`/complete/${provider.id}/?${ANSWER}=${token}`);
    } catch (error) {
      return await failureOf(request, provider, error, BROUGHT);
    }
  },
});

/** Metadata for a SAML provider's administrators: this server's names, addresses and certificate. */
const metadataPage = page({
  methods: ['GET'],
  path: '/complete/{provider}/metadata.xml',
  handle: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const provider = await findProvider(request);
    if (provider?.kind !== 'saml') return noSuchWay(request);
    const body = await samlMetadata(samlPeer(request, provider));
    return { headers: { 'content-type': 'application/samlmetadata+xml', 'cache-control': 'no-store' }, body };
  },
});

/** Confirms this browser's session, if the provider vouches for the identity that is connected to its account. */
async function confirmBy(
  request: RealmRequest,
  { confirm: userId, state, next }: Attempt,
  { provider, vouched }: { readonly provider: Provider; readonly vouched: Vouched },
): Promise<PageResponse> {
  const { context, actor, realm } = request;
  const { t } = wordsFor(request);
  const session = actor?.userId === userId && actor?.shownBy?.kind === 'session' ? actor.shownBy : undefined;
  if (!actor || !session) return notLoggedIn(request, 403, EXPIRED);
  const known = await context.store
    .in(realm)
    .write(async (tx) => ((await spend(tx, state, ATTEMPT_SECONDS)) ? findIdentity(tx, vouched) : undefined));
  if (known?.user_id !== actor.userId || ofOtherKinds(context, provider).includes(known.provider)) {
    const details = { user: { id: actor.userId }, provider: provider.id, why: 'another account' };
    await recordRefused(request, 'provider', details);
    return notLoggedIn(request, 403, t('provider.another'));
  }
  await confirm(request, { id: actor.userId }, session);
  return redirect(next === undefined || next === '/' ? '/accounts/confirm/?done' : next);
}

/**
 * Providers that name people in another way. OpenID Connect and SAML of one product may have the same issuer, and whoever
 * chooses their own name in the one could choose somebody's subject in the other.
 */
function ofOtherKinds({ identity }: Context, { kind }: Provider): readonly string[] {
  return identity.providers.filter((other) => other.kind !== kind).map(({ id }) => id);
}

function ask(request: RealmRequest, provider: Provider, attempt: Secrets): Promise<Vouched> {
  const { context, realm } = request;
  const { search, searchParams } = request.url;
  if (provider.kind === 'saml') return takeAnswer(request, provider, searchParams.get(ANSWER) ?? '', attempt);
  const url = new URL(answerUrl(realm, provider));
  url.search = search;
  const client = clientOf(context);
  return provider.kind === 'openid'
    ? client.claims(provider, url, attempt)
    : githubClaims(client, provider, url, attempt);
}

/** Ends the attempt, whatever its result. */
function withoutAttempt(context: Context, response: PageResponse): PageResponse {
  const set = response.headers?.['set-cookie'] ?? [];
  const cookies = [...(typeof set === 'string' ? [set] : set), noAttempt(context)];
  return { ...response, headers: { ...response.headers, 'set-cookie': cookies } };
}

/**
 * Status for an answer that cannot be verified and that a browser brought: anybody can send one, and a load balancer
 * may leave out processes that reply with 5xx.
 */
const BROUGHT = 403;

/**
 * Shows one clear page and makes one entry in the log and one in the audit log; none contains anything of the
 * provider's answer.
 */
async function failureOf(
  request: RealmRequest,
  provider: Provider,
  error: unknown,
  ifInvalid = 502,
): Promise<PageResponse> {
  const { t } = wordsFor(request);
  if (error instanceof ApiError && error.row === RateLimited.row)
    return notLoggedIn(request, 429, t('provider.slowDown'));
  if (!(error instanceof ProviderFault)) throw error;
  const { reason, code } = error;
  const details = { provider: provider.id, why: code };
  if (reason === 'refused' || reason === 'invalid') await recordRefused(request, 'provider', details);
  else request.context.log.room('sign-in').warn({ ...details, reason }, 'a provider does not answer');
  const { name } = provider;
  if (reason === 'refused') return notLoggedIn(request, 403, t('provider.refused', { name }));
  if (reason === 'invalid') return notLoggedIn(request, ifInvalid, t('provider.unproved', { name }));
  return notLoggedIn(request, 503, t('provider.away', { name }));
}

async function refused(request: RealmRequest, provider: Provider, refusal: Refusal): Promise<PageResponse> {
  const [status, text] = refusalText(refusal);
  const why = typeof refusal === 'object' ? 'address' : refusal;
  await recordRefused(request, 'provider', { provider: provider.id, why });
  return notLoggedIn(
    request,
    status,
    // What has ended is of this server, and not the provider's decision.
    status === 401 ? text : `${provider.name}: ${wordsFor(request).refusal(text)}`,
  );
}

function noSuchWay(request: PageRequest): PageResponse {
  return notLoggedIn(request, 404, wordsFor(request).t('provider.noSuchWay'));
}

export const singleSignOnPages = [beginPage, answerPage, receivePage, metadataPage];
