import { hasRealm, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { ApiError, RateLimited } from '#kernel/errors';
import { html } from '#kernel/html';
import { enqueue } from '#kernel/jobs';
import { networkOf } from '#kernel/limits';
import { foldCase } from '#kernel/text';
import {
  below,
  field,
  form,
  formPage,
  hidden,
  noOrganization,
  realmIcon,
  redirect,
  show,
  nextLink,
  waitOf,
  type Words,
  wordsFor,
} from '#features/pages';
import { readRealm, settingsOf } from '#features/realms';
import { findUser } from '#features/users';
import { APP_POLICY, oneTimePadOf, safeNext } from './finish.ts';
import { openByKey } from './guessing.ts';
import { logInWays } from './log-in-ways.ts';
import { directoryOf, isMethodOn } from './methods.ts';
import { peekOneTimeLink } from './one-time-links.ts';
import { PASSWORD_MAX_LENGTH, passwordFaultIn, passwordRulesIn } from './password-rules.ts';
import { resetJob, resetPassword } from './reset.ts';
import { enterOrAsk } from './second-factor/index.ts';
import { isSender } from './sent-again.ts';
import { signIn } from './sign-in.ts';

const LOGIN = '/login/';
const RESET = '/accounts/password/reset/';
/** Query parameter of the log-in page after a password was set. */
const CHANGED = 'changed';

/**
 * Explains, by the API's error code, why the web client sent somebody to the log-in page; text of the link itself is
 * never shown.
 */
function endingOf({ t }: Words, code: string | null): string | undefined {
  if (code === 'USER_DEACTIVATED') return t('logIn.accountOver');
  if (code === 'REALM_DEACTIVATED') return t('logIn.organizationOver');
  return code === null ? undefined : t('logIn.sessionOver');
}

const loginPage = formPage({
  path: LOGIN,
  show: async (request) => {
    const query = request.url.searchParams;
    const words = wordsFor(request);
    const pad = query.get('mobile_flow_otp');
    if (!hasRealm(request)) return noOrganization(request);
    if (pad !== null && oneTimePadOf(pad) === undefined)
      return showLogin(request, { status: 400, alert: words.t('logIn.badApp') });
    if (request.actor && pad === null) return redirect(safeNext(query.get('next') ?? undefined));
    const ended = endingOf(words, query.get('ended'));
    return showLogin(request, { notice: query.has(CHANGED) ? words.t('logIn.changed') : ended });
  },
  submit: async (request, fields) => {
    if (!hasRealm(request)) return noOrganization(request);
    const email = (fields.get('username') ?? '').trim();
    try {
      const user = await signIn(request, { username: email, password: fields.get('password') ?? '' });
      const pad = oneTimePadOf(fields.get('mobile_flow_otp'));
      return await enterOrAsk(request, user, { next: fields.get('next'), pad });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return await showLogin(request, { ...failure(wordsFor(request), error), email, fields });
    }
  },
});

/** Status and text of an error for people; error codes are for programs. */
function failure(words: Words, error: ApiError): { status: number; fault: string; retryAfter?: number } {
  if (error.row.code !== RateLimited.row.code) return { status: error.row.status, fault: words.refusal(error.message) };
  return {
    status: 429,
    fault: words.t('logIn.tooMany', { time: waitOf(words, error) }),
    retryAfter: Math.ceil(Number(error.extra['retry-after'])),
  };
}

interface LoginState {
  readonly status?: number;
  /** Error about the address and password that were sent. */
  readonly fault?: string;
  /** Error about how the page was opened. */
  readonly alert?: string;
  readonly notice?: string | undefined;
  readonly retryAfter?: number;
  readonly email?: string;
  readonly fields?: ReadonlyMap<string, string>;
}

/** Renders the log-in page with the errors of the last attempt. */
export async function showLogin(request: PageRequest, state: LoginState): Promise<PageResponse> {
  if (!hasRealm(request)) return noOrganization(request);
  const { realm, context } = request;
  const { t, language } = wordsFor(request);
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  const sent = request.url.searchParams;
  const carried = (name: string) => state.fields?.get(name) ?? sent.get(name) ?? undefined;
  const pad = oneTimePadOf(carried('mobile_flow_otp'));
  const email = state.email ?? sent.get('email') ?? '';
  const hasNames = directoryOf(context, realm, settings)?.hasNames === true;
  const name = hasNames
    ? field(t('logIn.name'), 'username', { value: email, autocomplete: 'username' })
    : field(t('common.email'), 'username', { type: 'email', value: email, autocomplete: 'username' });
  const carriedFields = html`${hidden('next', safeNext(carried('next')))}${pad === undefined ? '' : hidden('mobile_flow_otp', pad)}`;
  const fields = html`${name}
${field(t('common.password'), 'password', { type: 'password', autocomplete: 'current-password', fault: state.fault })}
${carriedFields}`;
  const password = html`${form(request, SAME_ADDRESS, fields, t('common.logIn'))}${isMethodOn(settings, 'Email') ? below({ text: t('logIn.forgot'), href: RESET }) : ''}`;
  const next = carried('next');
  const query = new URLSearchParams({
    ...(next !== undefined && { next: safeNext(next) }),
    ...(pad !== undefined && { mobile_flow_otp: pad }),
  }).toString();
  const ways = { password, query, fields: carriedFields };
  return show(request, {
    language,
    title: t('common.logIn'),
    icon: settings.icon_source === 'U' ? realmIcon(settings.icon_version) : undefined,
    lede: t('logIn.lede'),
    status: state.status ?? 200,
    fault: state.alert,
    notice: state.notice,
    headers: {
      ...(pad !== undefined && { 'content-security-policy': APP_POLICY }),
      ...(state.retryAfter !== undefined && { 'retry-after': String(state.retryAfter) }),
    },
    body: await logInWays(request, settings, ways),
  });
}

/** A form sent to its own page keeps the fragment of the address, even through a redirect. */
const SAME_ADDRESS = '';

const resetRequestPage = formPage({
  path: RESET,
  show: (request) => Promise.resolve(request.realm ? showResetRequest(request) : noOrganization(request)),
  submit: async (request, fields) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { realm, context } = request;
    const email = (fields.get('email') ?? '').trim();
    try {
      await context.limits.take('password-reset-address', networkOf(request.address));
      await context.limits.take('password-reset', `${realm.id}:${foldCase(email)}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // All requested links go to the same mailbox, where the newest one works.
      const words = wordsFor(request);
      const fault = words.t('reset.tooMany', { time: waitOf(words, error) });
      return showResetRequest(request, fault, 429);
    }
    await context.store.in(realm).write((tx) => enqueue(tx, resetJob, { email }));
    const { t, language } = wordsFor(request);
    return show(request, {
      language,
      title: t('common.checkEmail'),
      lede: t('reset.sent', { email }),
      body: below({ text: t('common.backToLogIn'), href: LOGIN }),
    });
  },
});

function showResetRequest(request: PageRequest, fault?: string, status = 200): PageResponse {
  const { t, language } = wordsFor(request);
  const fields = field(t('common.email'), 'email', { type: 'email', autocomplete: 'username', fault });
  return show(request, {
    language,
    title: t('reset.title'),
    lede: t('reset.lede'),
    status,
    body: html`${form(request, RESET, fields, t('reset.send'))}${below({ text: t('common.backToLogIn'), href: LOGIN })}`,
  });
}

const resetPage = formPage({
  path: `${RESET}{token}`,
  show: async (request) => ((await ownWordsOfLink(request)) ? showReset(request) : linkUsed(request)),
  submit: async (request, fields) => {
    if (!hasRealm(request)) return linkGone(request);
    const ownWords = await ownWordsOfLink(request);
    if (!ownWords) return linkUsed(request);
    const password = fields.get('password') ?? '';
    const fault = await passwordFaultIn(request, password, ownWords);
    if (fault !== undefined) return showReset(request, fault);
    const isSet = await resetPassword(request, request.path['token'] ?? '', password);
    return isSet ? redirect(`${LOGIN}?${CHANGED}`) : linkUsed(request);
  },
});

/** Name and address of the owner of a link for a new password; undefined if the link is not valid. */
async function ownWordsOfLink(request: PageRequest): Promise<readonly string[] | undefined> {
  const { realm, context, path } = request;
  if (!realm) return undefined;
  const find = () =>
    context.store.in(realm).query(async (tx) => {
      const link = await peekOneTimeLink(tx, 'reset', path['token'] ?? '');
      const user = link?.user_id ? await findUser(tx, link.user_id) : undefined;
      return link && [user?.full_name ?? '', user?.email ?? ''];
    });
  return openByKey(request, find);
}

async function showReset(request: PageRequest, fault?: string): Promise<PageResponse> {
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('reset.choose'),
    lede: t('reset.chooseLede'),
    status: fault === undefined ? 200 : 400,
    body: form(request, request.url.pathname, await newPasswordField(request, fault), t('reset.change')),
  });
}

/** The field for a new password, with the error of the last one. */
export async function newPasswordField(request: PageRequest, fault?: string) {
  const { password_min_length: min } = await passwordRulesIn(request);
  const { t, refusal } = wordsFor(request);
  return field(t('common.password'), 'password', {
    type: 'password',
    autocomplete: 'new-password',
    hint: t('common.passwordHint', { min }),
    fault: refusal(fault),
    maxLength: PASSWORD_MAX_LENGTH,
  });
}

/**
 * Tells the browser that has used the link that its password has been changed, because the answer to its form may not
 * have come.
 */
async function linkUsed(request: PageRequest): Promise<PageResponse> {
  const isOwn = hasRealm(request) && (await isSender(request, request.path['token'] ?? ''));
  if (!isOwn) return linkGone(request);
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('reset.changed'),
    status: 404,
    lede: t('reset.changedLede'),
    body: nextLink(t('common.logIn'), LOGIN),
  });
}

function linkGone(request: PageRequest): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('common.linkOver'),
    status: 404,
    lede: t('reset.over'),
    body: nextLink(t('reset.again'), RESET),
  });
}

export const signInPages = [loginPage, resetRequestPage, resetPage];
