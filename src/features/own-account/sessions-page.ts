import type { SessionRow } from '#kernel/auth';
import { hasRealm, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { below, form, formPage, hidden, noOrganization, redirect, show } from '#features/pages';
import { confirmFirst } from '#features/sign-in';
import { endOwnKeys } from './api-key.ts';
import { endOtherSessions, findSessions, type Sessions } from './sessions.ts';

const SESSIONS = '/accounts/sessions/';
const ALL_OTHERS = 'Log out all other browsers';
const ALL_APPS = 'Log out all apps';
/** Query parameter of the page after something was logged out. */
const ENDED = 'ended';

/** Page on which somebody sees what is logged in to the account, and logs it out. Security 2, 7.5.2. */
export const sessionsPage = formPage({
  path: SESSIONS,
  show: (request) => withSessions(request, (sessions) => Promise.resolve(showSessions(request, sessions))),
  submit: (request, fields) =>
    withSessions(request, async ({ own }) => {
      const { context, actor } = request;
      const ended = fields.get('end') ?? '';
      if (!hasRealm(request) || !actor) return noOrganization(request);
      // Somebody who finds an open browser must not be able to log its owner out everywhere else (security#asvs,
      // 7.5.2).
      const first = confirmFirst(request, SESSIONS);
      if (first) return first;
      if (ended === 'apps') await endOwnKeys(context, actor);
      else if (ended === 'others') await endOtherSessions(request, own, 'all');
      else if (/^\d{1,15}$/.test(ended)) await endOtherSessions(request, own, Number(ended));
      return redirect(`${SESSIONS}?${ENDED}`);
    }),
});

/** Runs the page with the sessions of this browser's user; redirects to log in if the browser has no session. */
async function withSessions(
  request: PageRequest,
  run: (sessions: Sessions) => Promise<PageResponse>,
): Promise<PageResponse> {
  if (!hasRealm(request)) return noOrganization(request);
  const { realm, context, actor, sessionToken } = request;
  const sessions =
    actor && sessionToken !== undefined
      ? await context.store.in(realm).query((tx) => findSessions(tx, sessionToken))
      : undefined;
  return sessions?.own.user_id === actor?.userId && sessions
    ? run(sessions)
    : redirect(`/login/?next=${encodeURIComponent(SESSIONS)}`);
}

function showSessions(request: PageRequest, { own, all }: Sessions): PageResponse {
  const others = all.filter((session) => session.id !== own.id);
  return show(request, {
    title: 'Where you are logged in',
    notice: request.url.searchParams.has(ENDED) ? 'Logged out.' : undefined,
    wide: true,
    body: html`<ul class="sessions">
<li><strong>${own.client}</strong><span class="tag">this browser</span>${times(own)}</li>
${others.map((session) => otherSession(request, session))}
</ul>
${others.length > 1 && form(request, SESSIONS, hidden('end', 'others'), ALL_OTHERS, { spoken: ALL_OTHERS })}
<h2>Apps</h2>
<p>Apps and programs use the API key of your account, or keys of their own, which your settings list. This ends all of them.</p>
${form(request, SESSIONS, hidden('end', 'apps'), ALL_APPS, { spoken: ALL_APPS })}
${below({ text: 'Start', href: '/' }, { text: 'Second factor', href: '/accounts/second-factor/setup/' }, { text: 'Passkeys', href: '/accounts/passkeys/' }, { text: 'Connected accounts', href: '/accounts/connections/' }, { text: 'Log out here', href: '/logout/' })}`,
  });
}

function otherSession(request: PageRequest, session: SessionRow): Html {
  const button = 'Log out';
  const spoken = `${button}: ${session.client}, last used ${moment(session.last_seen_at)}`;
  return html`<li><strong>${session.client}</strong>${times(session)}
${form(request, SESSIONS, hidden('end', String(session.id)), button, { spoken })}</li>`;
}

function times(session: SessionRow): Html {
  return html`<small>Last used ${time(session.last_seen_at)}<br>Logged in ${time(session.created_at)}</small>`;
}

function time(seconds: number): Html {
  return html`<time datetime="${new Date(seconds * 1000).toISOString()}">${moment(seconds)}</time>`;
}

/** Formats a time for people in UTC, because the server does not know the browser's time zone. */
function moment(seconds: number): string {
  return `${FORMAT.format(seconds * 1000)} UTC`;
}

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
