import { noOrganization, wordsFor } from '#features/pages';
import { readRealm, settingsOf } from '#features/realms';
import {
  enterOrAsk,
  isMethodOn,
  noteRefused,
  oneTimePadOf,
  PROXY_METHOD,
  PROXY_PATH,
  recordRefused,
  safeNext,
} from '#features/sign-in';
import { hasRealm, page, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import type { ProxySignIn } from '#kernel/identity';
import { foldCase } from '#kernel/text';
import { accountOf } from './joining.ts';
import { notLoggedIn, refusalText } from './refusals.ts';

/**
 * The issuer of identities from a trusted proxy. No provider can have it, because issuers of providers are addresses.
 */
const ISSUER = 'proxy';

/** Signs in whom a trusted proxy names in a header. See protocol/authentication#trusted-proxy. */
export const proxyPage = page({
  methods: ['GET'],
  path: PROXY_PATH.replace(/\/$/, ''),
  handle: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { realm, context, url } = request;
    const { proxy } = context.identity;
    const { t } = wordsFor(request);
    const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
    if (!proxy || !isMethodOn(settings, PROXY_METHOD)) return notLoggedIn(request, 404, t('provider.off'));
    const email = namedBy(request, proxy);
    if (email === undefined) {
      noteRefused(context, 'proxy', { why: 'nobody' });
      return notLoggedIn(request, 401, t('provider.nobody'));
    }
    const sent = url.searchParams.get('mobile_flow_otp');
    if (sent !== null && oneTimePadOf(sent) === undefined) return notLoggedIn(request, 400, t('logIn.badApp'));
    return arrive(request, proxy, email);
  },
});

async function arrive(request: RealmRequest, proxy: ProxySignIn, email: string): Promise<PageResponse> {
  const { context, url, realm } = request;
  const settled = await accountOf(context, realm, {
    provider: ISSUER,
    vouched: { issuer: ISSUER, subject: foldCase(email), name: undefined, email, isVerified: true, groups: undefined },
    signsUp: proxy.sign_up ?? true,
    once: { token: context.clock.token(43), seconds: 1 },
  });
  if ('refusal' in settled) {
    const why = typeof settled.refusal === 'object' ? 'address' : settled.refusal;
    await recordRefused(request, 'proxy', { why });
    return notLoggedIn(request, ...refusalText(settled.refusal));
  }
  const next = safeNext(url.searchParams.get('next') ?? undefined);
  const pad = oneTimePadOf(url.searchParams.get('mobile_flow_otp'));
  return enterOrAsk(request, settled.user, { next, pad });
}

/**
 * The address in the header; undefined unless the request comes from a trusted proxy, and for a repeated header,
 * because one of the two may be the browser's.
 */
function namedBy({ isFromProxy, raw }: PageRequest, { header, email_domain }: ProxySignIn): string | undefined {
  if (!isFromProxy) return undefined;
  const { rawHeaders } = raw.request;
  const values = rawHeaders.filter(
    (_, at) => rawHeaders[at - 1]?.toLowerCase() === header.toLowerCase() && at % 2 === 1,
  );
  const [value] = values;
  if (values.length !== 1 || value === undefined || !/^[^\s,]{1,250}$/.test(value)) return undefined;
  if (value.includes('@')) return value;
  return email_domain === undefined ? undefined : `${value}@${email_domain}`;
}
