import { type Actor, CONFIRMED_SECONDS, type ShownBy } from '#kernel/auth';
import { hasRealm, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { ApiError, RateLimited } from '#kernel/errors';
import { html } from '#kernel/html';
import {
  below,
  field,
  form,
  formPage,
  hidden,
  noOrganization,
  redirect,
  show,
  nextLink,
  waitOf,
  wordsFor,
} from '#features/pages';
import { safeNext } from '../finish.ts';
import { answeredBy, passkeyForm, passkeyScript } from '../passkeys/index.ts';
import { confirm, isOwnerShown, waysToConfirm } from './confirm.ts';
import { accessUserRow } from './own.ts';

const PATH = '/accounts/confirm/';
/** Query parameter of the page after it has done its work in a window of its own. */
const DONE = 'done';

/** The session of a browser. */
type Session = Extract<ShownBy, { kind: 'session' }>;

/**
 * Page on which somebody who is signed in confirms who they are, before an operation that could take the account over.
 * See protocol/authentication#confirmation.
 */
export const confirmationPage = formPage({
  path: PATH,
  show: (asked) =>
    withSession(asked, (request, actor) => {
      const isDone = request.url.searchParams.has(DONE);
      return isDone ? Promise.resolve(showDone(request)) : showQuestion(request, actor);
    }),
  submit: (asked, fields) =>
    withSession(asked, async (request, actor, session) => {
      const { context } = request;
      try {
        const user = await accessUserRow(context, actor);
        if (fields.has('passkey')) {
          const answered = await answeredBy(request, 'confirm', user, fields);
          if ('fault' in answered)
            return await showQuestion(request, actor, { fault: answered.fault, status: 403, fields });
          await confirm(request, user, session);
          return redirect(safeNext(fields.get('next')));
        }
        const shown = { password: fields.get('password') ?? '', code: fields.get('code') ?? '' };
        if (!(await isOwnerShown(request, user, shown)))
          return await showQuestion(request, actor, { fault: 'That is not correct.', status: 403, fields });
        await confirm(request, user, session);
        return redirect(safeNext(fields.get('next')));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const words = wordsFor(request);
        const isLimited = error.row.code === RateLimited.row.code;
        const fault = isLimited ? words.t('confirm.tooMany', { time: waitOf(words, error) }) : error.message;
        return await showQuestion(request, actor, { fault, status: error.row.status, fields });
      }
    }),
});

/** Redirects to the page if the session was not confirmed recently; undefined if it was. */
export function confirmFirst({ actor, context }: PageRequest, next: string): PageResponse | undefined {
  const { shownBy } = actor ?? {};
  const isFresh = shownBy?.kind === 'session' && shownBy.confirmedAt > context.clock.now() - CONFIRMED_SECONDS;
  return isFresh ? undefined : redirect(`${PATH}?next=${encodeURIComponent(next)}`);
}

async function withSession(
  request: PageRequest,
  run: (request: RealmRequest, actor: Actor, session: Session) => Promise<PageResponse>,
): Promise<PageResponse> {
  if (!hasRealm(request)) return noOrganization(request);
  const { actor } = request;
  if (actor?.shownBy?.kind === 'session') return run(request, actor, actor.shownBy);
  const { pathname, search } = request.url;
  return redirect(`/login/?next=${encodeURIComponent(pathname + search)}`);
}

interface State {
  readonly fault?: string;
  readonly status?: number;
  readonly fields?: ReadonlyMap<string, string>;
}

async function showQuestion(
  request: PageRequest,
  actor: Actor,
  { fault, status = 200, fields }: State = {},
): Promise<PageResponse> {
  const { context, url } = request;
  const ways = await context.store.as(actor).query((tx) => waysToConfirm(context, tx, { id: actor.userId }));
  const { hasPasskeys } = ways;
  const { t, language, refusal } = wordsFor(request);
  const next = safeNext(fields?.get('next') ?? url.searchParams.get('next') ?? undefined);
  const query = new URLSearchParams({ confirm: '', next }).toString();
  const isTyped = ways.asksPassword || ways.asksCode;
  const asked = html`${ways.asksPassword && field(t('account.yourPassword'), 'password', { type: 'password', autocomplete: 'current-password' })}
${ways.asksCode && field(t('common.code'), 'code', { autocomplete: 'one-time-code', hint: t('confirm.codeHint'), maxLength: 40 })}${hidden('next', next)}`;
  const buttons = html`<p class="ways">${ways.providers.map(({ id, name }) => html`<a class="btn block" href="/accounts/login/social/${id}/?${query}">${t('logIn.with', { name })}</a>`)}</p>`;
  const passkey = passkeyForm(request, {
    use: 'confirm',
    action: PATH,
    fields: hidden('next', next),
    button: t('common.usePasskey'),
    isFirstOfWays: isTyped || ways.providers.length > 0,
  });
  const nothing = html`<p>${t('confirm.noWay')}</p>${nextLink(t('logOut.title'), '/logout/')}`;
  return show(request, {
    language,
    title: t('confirm.title'),
    lede: t('confirm.lede'),
    status,
    fault: refusal(fault),
    body: html`${hasPasskeys && passkey}${ways.providers.length > 0 && buttons}${ways.providers.length > 0 && isTyped && html`<p class="or">${t('common.or')}</p>`}
${isTyped && form(request, PATH, asked, t('confirm.confirm'))}${!isTyped && !hasPasskeys && ways.providers.length === 0 && nothing}${below({ text: t('account.back'), href: '/' })}${hasPasskeys && (await passkeyScript())}`,
  });
}

function showDone(request: PageRequest): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('confirm.done'),
    lede: t('confirm.doneLede'),
    body: below({ text: t('common.start'), href: '/' }),
  });
}
