import type { SessionRow } from '#kernel/auth';
import { hasRealm, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { below, form, formPage, hidden, noOrganization, redirect, show, type Words, wordsFor } from '#features/pages';
import { confirmFirst } from '#features/sign-in';
import { endOwnKeys } from './api-key.ts';
import { endOtherSessions, findSessions, type Sessions } from './sessions.ts';

const SESSIONS = '/accounts/sessions/';
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
  const words = wordsFor(request);
  const { t, language } = words;
  const [allOthers, allApps] = [t('sessions.endOthers'), t('sessions.endApps')];
  return show(request, {
    language,
    title: t('sessions.title'),
    notice: request.url.searchParams.has(ENDED) ? t('sessions.ended') : undefined,
    wide: true,
    body: html`<ul class="sessions">
<li><strong>${named(words, own)}</strong><span class="tag">${t('sessions.this')}</span>${times(words, own)}</li>
${others.map((session) => otherSession(request, words, session))}
</ul>
${others.length > 1 && form(request, SESSIONS, hidden('end', 'others'), { text: allOthers, spoken: allOthers })}
<h2>${t('sessions.apps')}</h2>
<p>${t('sessions.appsText')}</p>
${form(request, SESSIONS, hidden('end', 'apps'), { text: allApps, spoken: allApps })}
${below({ text: t('common.start'), href: '/' }, { text: t('sessions.secondFactor'), href: '/accounts/second-factor/setup/' }, { text: t('passkeys.title'), href: '/accounts/passkeys/' }, { text: t('sessions.connections'), href: '/accounts/connections/' }, { text: t('sessions.endHere'), href: '/logout/' })}`,
  });
}

function otherSession(request: PageRequest, words: Words, session: SessionRow): Html {
  const { t, moment } = words;
  const spoken = t('sessions.endOne', { name: named(words, session), time: moment(session.last_seen_at) });
  return html`<li><strong>${named(words, session)}</strong>${times(words, session)}
${form(request, SESSIONS, hidden('end', String(session.id)), { text: t('sessions.end'), spoken })}</li>`;
}

/** Names the browser of a session, which is stored as in "Firefox on Linux", in the language of the page. */
function named({ t }: Words, { client }: SessionRow): string {
  const [stored = '', system] = client.split(' on ');
  const browser = stored === 'Unknown browser' ? t('sessions.unknown') : stored;
  return system === undefined ? browser : t('sessions.browser', { browser, system });
}

function times({ t, moment }: Words, { last_seen_at, created_at }: SessionRow): Html {
  const used = t('account.lastUsed', { time: moment(last_seen_at) });
  const begun = t('sessions.begun', { time: moment(created_at) });
  return html`<small>${time(last_seen_at, used)}<br>${time(created_at, begun)}</small>`;
}

function time(seconds: number, text: string): Html {
  return html`<time datetime="${new Date(seconds * 1000).toISOString()}">${text}</time>`;
}
