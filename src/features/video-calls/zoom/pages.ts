import { type Actor, realmUrlOf } from '#kernel/auth';
import { hasRealm, page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { firstFault, idOf, int, object, str } from '#kernel/schema';
import { nextLink, noOrganization, redirect, show, wordsFor } from '#features/pages';
import { findRealmBySubdomain } from '#features/realms';
import { seal, sealedCookie, sealedCookieName, unseal } from '#features/sign-in';
import { addZoomAccount } from './actions.ts';
import { hasZoom, type ZoomContext } from './meeting.ts';
import { isShared } from './shared-account.ts';

const COOKIE = 'zoom';
const attemptShape = object({ secret: str(), user_id: idOf<UserId>(), ends_at: int() });
/** Seconds within which somebody must consent at Zoom. */
const ATTEMPT_SECONDS = 600;
/** Longest authorization code that is passed on, in characters. */
const MAX_CODE = 500;

/** Redirect path after Zoom: one address for all organizations, because it must be registered with Zoom beforehand. */
const COMPLETE_PATH = '/calls/zoom/complete';

const FAULTS = {
  absent: { status: 404, key: 'zoom.absent' },
  session: { status: 400, key: 'zoom.session' },
  denied: { status: 403, key: 'zoom.denied' },
  refused: { status: 400, key: 'zoom.refused' },
  failed: { status: 502, key: 'zoom.failed' },
} as const;

function failed(request: PageRequest, fault: keyof typeof FAULTS): PageResponse {
  const { t, language } = wordsFor(request);
  const { status, key } = FAULTS[fault];
  return show(request, {
    language,
    title: t('zoom.not'),
    status,
    lede: t(key),
    body: nextLink(t('calls.back'), '/'),
  });
}

/** Redirects somebody who is logged in to Zoom, to connect their account there. See protocol/organizations#zoom. */
const registerPage = page({
  methods: ['GET'],
  path: '/calls/zoom/register',
  handle: (request) =>
    asPerson(request, async (context, actor) => {
      const { zoom } = context.calls;
      const secret = context.clock.token(43);
      const attempt = { secret, user_id: actor.userId, ends_at: context.clock.now() + ATTEMPT_SECONDS };
      const cookie = sealedCookie(context, COOKIE, await seal(context, COOKIE, attempt), ATTEMPT_SECONDS);
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: zoom.name,
        redirect_uri: `${context.server.externalUrl}${COMPLETE_PATH}`,
        state: `${secret}.${actor.realm.subdomain}`,
      });
      return redirect(`${zoom.url}/oauth/authorize?${query.toString()}`, [cookie]);
    }),
});

/** Receives somebody who returns from Zoom, and sends them to their organization. See protocol/organizations#zoom. */
const completePage = page({
  methods: ['GET'],
  path: COMPLETE_PATH,
  handle: async (request) => {
    const { context, url, realm } = request;
    const [, secret = '', subdomain] = /^(\w{43})\.([a-z0-9-]*)$/.exec(url.searchParams.get('state') ?? '') ?? [];
    if (subdomain === undefined) return failed(request, 'session');
    if (realm?.subdomain !== subdomain) {
      const other = await context.store.query((tx) => findRealmBySubdomain(tx, subdomain));
      return other
        ? redirect(`${realmUrlOf(subdomain, context.server)}${COMPLETE_PATH}${url.search}`)
        : noOrganization(request);
    }
    return asPerson(request, async (own, actor) => {
      // An answer that this person did not ask for in this browser could connect them to somebody else's account.
      const isOwn = await isOwnAttempt(request, actor, secret);
      const answered = isOwn ? await complete(request, own, actor) : failed(request, 'session');
      const over = sealedCookie(context, COOKIE, '', 0);
      return { ...answered, headers: { ...answered.headers, 'set-cookie': [over] } };
    });
  },
});

async function complete(request: PageRequest, context: ZoomContext, actor: Actor): Promise<PageResponse> {
  const code = request.url.searchParams.get('code') ?? '';
  if (code === '' || code.length > MAX_CODE) return failed(request, 'denied');
  const form = { code, redirect_uri: `${context.server.externalUrl}${COMPLETE_PATH}` };
  const outcome = await addZoomAccount(context, actor, form);
  if (outcome !== 'connected') return failed(request, outcome);
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('zoom.connected'),
    lede: t('zoom.connectedLede'),
    body: nextLink(t('calls.back'), '/'),
  });
}

async function isOwnAttempt({ context, cookies }: PageRequest, actor: Actor, secret: string): Promise<boolean> {
  const sent = await unseal(context, COOKIE, cookies[sealedCookieName(context, COOKIE)]);
  const read = firstFault(attemptShape, 'attempt', sent);
  if ('fault' in read || read.value.ends_at <= context.clock.now()) return false;
  return read.value.secret === secret && read.value.user_id === actor.userId;
}

/** Requires a session of this browser, and that people connect their own accounts. */
async function asPerson(
  request: PageRequest,
  run: (context: ZoomContext, actor: Actor) => Promise<PageResponse>,
): Promise<PageResponse> {
  if (!hasRealm(request)) return noOrganization(request);
  const { actor, sessionToken, headers, url, context } = request;
  const isBySession = sessionToken !== undefined && headers.authorization === undefined;
  if (!actor || actor.isBot || !isBySession)
    return redirect(`/login/?next=${encodeURIComponent(`${url.pathname}${url.search}`)}`);
  return hasZoom(context) && !isShared(context) ? run(context, actor) : failed(request, 'absent');
}

/**
 * Receives Zoom's notice that somebody has revoked the grant there. The notice is not signed in a way that is checked
 * here, so it changes nothing: Zoom refuses the next call, and the grant is deleted then.
 */
const deauthorizePage = page({
  methods: ['POST'],
  path: '/calls/zoom/deauthorize',
  isBare: true,
  handle: () =>
    Promise.resolve({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ result: 'success', msg: '' }),
    }),
});

export const zoomPages = [registerPage, completePage, deauthorizePage];
