import type { Actor } from '#kernel/auth';
import type { ZoomService } from '#kernel/context';
import { hasRealm, page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { firstFault, idOf, int, object, str } from '#kernel/schema';
import { noOrganization, redirect, show, wayOn } from '#features/pages';
import { findRealmBySubdomain } from '#features/realms';
import { seal, sealedCookie, sealedCookieName, unseal } from '#features/sign-in';
import { addZoomAccount } from './actions.ts';
import { isShared } from './shared-account.ts';

const COOKIE = 'zoom';
const attemptShape = object({ secret: str(), user_id: idOf<UserId>(), ends_at: int() });
/** Seconds that somebody has to say yes at Zoom. */
const ATTEMPT_SECONDS = 600;
/** Longest code that is given on, in characters. */
const MAX_CODE = 500;

/** Where Zoom sends people back to: one address for all organizations, as Zoom wants to know it beforehand. */
const COMPLETE_PATH = '/calls/zoom/complete';

const FAULTS = {
  absent: { status: 404, lede: 'Zoom credentials have not been configured.' },
  session: { status: 400, lede: 'Invalid Zoom session identifier. Begin the call again.' },
  denied: { status: 403, lede: 'Zoom was not connected. You can begin the call again.' },
  refused: { status: 400, lede: 'Invalid Zoom credentials. Tell the operator of this server.' },
  failed: { status: 502, lede: 'Zoom does not answer at the moment. Try again later.' },
} as const;

function failed(request: PageRequest, fault: keyof typeof FAULTS): PageResponse {
  return show(request, { title: 'Zoom is not connected', ...FAULTS[fault], body: wayOn('Back to the messages', '/') });
}

/** Sends somebody who is logged in to Zoom, to connect their account there. See protocol/organizations#zoom. */
const registerPage = page({
  methods: ['GET'],
  path: '/calls/zoom/register',
  handle: (request) =>
    asPerson(request, async (actor, zoom) => {
      const { context } = request;
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

/** Takes somebody back from Zoom, at the organization from which they went. See protocol/organizations#zoom. */
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
        ? redirect(`${context.realmUrl({ subdomain })}${COMPLETE_PATH}${url.search}`)
        : noOrganization(request);
    }
    return asPerson(request, async (actor, zoom) => {
      const answered = await complete(request, actor, zoom, secret);
      const over = sealedCookie(context, COOKIE, '', 0);
      return { ...answered, headers: { ...answered.headers, 'set-cookie': [over] } };
    });
  },
});

async function complete(request: PageRequest, actor: Actor, zoom: ZoomService, secret: string): Promise<PageResponse> {
  const { context, url } = request;
  // An answer that this person did not ask for in this browser would connect them to somebody else's account.
  if (!(await isOwnAttempt(request, actor, secret))) return failed(request, 'session');
  const code = url.searchParams.get('code') ?? '';
  if (code === '' || code.length > MAX_CODE) return failed(request, 'denied');
  const form = { code, redirect_uri: `${context.server.externalUrl}${COMPLETE_PATH}` };
  const outcome = await addZoomAccount(context, zoom, actor, form);
  if (outcome !== 'connected') return failed(request, outcome);
  return show(request, {
    title: 'Zoom is connected',
    lede: 'Your calls are held with your Zoom account from now on. You can close this window.',
    body: wayOn('Back to the messages', '/'),
  });
}

async function isOwnAttempt({ context, cookies }: PageRequest, actor: Actor, secret: string): Promise<boolean> {
  const sent = await unseal(context, COOKIE, cookies[sealedCookieName(context, COOKIE)]);
  const read = firstFault(attemptShape, 'attempt', sent);
  if ('fault' in read || read.value.ends_at <= context.clock.now()) return false;
  return read.value.secret === secret && read.value.user_id === actor.userId;
}

/** Only with a session of this browser, and where people connect accounts of their own. */
async function asPerson(
  request: PageRequest,
  run: (actor: Actor, zoom: ZoomService) => Promise<PageResponse>,
): Promise<PageResponse> {
  if (!hasRealm(request)) return noOrganization(request);
  const { actor, sessionToken, headers, url, context } = request;
  const isBySession = sessionToken !== undefined && headers.authorization === undefined;
  if (!actor || actor.isBot || !isBySession)
    return redirect(`/login/?next=${encodeURIComponent(`${url.pathname}${url.search}`)}`);
  const { zoom } = context.calls;
  return zoom && !isShared(zoom) ? run(actor, zoom) : failed(request, 'absent');
}

/**
 * Where Zoom says that somebody has ended the connection there. Nobody signs that here, so nothing is believed: Zoom
 * refuses the next call, and the grant is forgotten then.
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
