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
  waitOf,
  nextLink,
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
function endingOf(code: string | null): string | undefined {
  if (code === 'USER_DEACTIVATED') return 'Your account has been deactivated.';
  if (code === 'REALM_DEACTIVATED') return 'This organization has been deactivated.';
  return code === null ? undefined : 'Your session has ended. Your unsent text will be here after you log in.';
}

const loginPage = formPage({
  path: LOGIN,
  show: async (request) => {
    const query = request.url.searchParams;
    const pad = query.get('mobile_flow_otp');
    if (!hasRealm(request)) return noOrganization(request);
    if (pad !== null && oneTimePadOf(pad) === undefined)
      return showLogin(request, { status: 400, alert: 'The app sent an invalid log-in request.' });
    if (request.actor && pad === null) return redirect(safeNext(query.get('next') ?? undefined));
    const ended = endingOf(query.get('ended'));
    return showLogin(request, { notice: query.has(CHANGED) ? 'Your password has been changed.' : ended });
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
      return await showLogin(request, { ...failure(error), email, fields });
    }
  },
});

/** Status and text of an error for people; error codes are for programs. */
function failure(error: ApiError): { status: number; fault: string; retryAfter?: number } {
  if (error.row.code !== RateLimited.row.code) return { status: error.row.status, fault: error.message };
  return {
    status: 429,
    fault: `Too many attempts. Wait ${waitOf(error)}, or choose a new password: with that you can log in at once.`,
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
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  const sent = request.url.searchParams;
  const carried = (name: string) => state.fields?.get(name) ?? sent.get(name) ?? undefined;
  const pad = oneTimePadOf(carried('mobile_flow_otp'));
  const email = state.email ?? sent.get('email') ?? '';
  const hasNames = directoryOf(context, realm, settings)?.hasNames === true;
  const name = hasNames
    ? field('Name or email address', 'username', { value: email, autocomplete: 'username' })
    : field('Email address', 'username', { type: 'email', value: email, autocomplete: 'username' });
  const carriedFields = html`${hidden('next', safeNext(carried('next')))}${pad === undefined ? '' : hidden('mobile_flow_otp', pad)}`;
  const fields = html`${name}
${field('Password', 'password', { type: 'password', autocomplete: 'current-password', fault: state.fault })}
${carriedFields}`;
  const password = html`${form(request, SAME_ADDRESS, fields, 'Log in')}${isMethodOn(settings, 'Email') ? below({ text: 'Forgot your password?', href: RESET }) : ''}`;
  const next = carried('next');
  const query = new URLSearchParams({
    ...(next !== undefined && { next: safeNext(next) }),
    ...(pad !== undefined && { mobile_flow_otp: pad }),
  }).toString();
  const ways = { password, query, fields: carriedFields };
  return show(request, {
    title: 'Log in',
    icon: settings.icon_source === 'U' ? realmIcon(settings.icon_version) : undefined,
    lede: 'Good to see you again.',
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
      const fault = `Too many links have been asked for. The newest that was mailed to you still works; another can be had in ${waitOf(error)}.`;
      return showResetRequest(request, fault, 429);
    }
    await context.store.in(realm).write((tx) => enqueue(tx, resetJob, { email }));
    return show(request, {
      title: 'Check your email',
      lede: `If ${email} has an account here, a link is on its way. It works once, for 24 hours. Look among the unwanted mail too.`,
      body: below({ text: 'Back to log-in', href: LOGIN }),
    });
  },
});

function showResetRequest(request: PageRequest, fault?: string, status = 200): PageResponse {
  const fields = field('Email address', 'email', { type: 'email', autocomplete: 'username', fault });
  return show(request, {
    title: 'Forgot the password?',
    lede: 'We send you a link to choose a new one. It works once, for 24 hours.',
    status,
    body: html`${form(request, RESET, fields, 'Send me a link')}${below({ text: 'Back to log-in', href: LOGIN })}`,
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
  return show(request, {
    title: 'Choose a new password',
    lede: 'You will be logged out everywhere else.',
    status: fault === undefined ? 200 : 400,
    body: form(request, request.url.pathname, await newPasswordField(request, fault), 'Change the password'),
  });
}

/** The field for a new password, with the error of the last one. */
export async function newPasswordField(request: PageRequest, fault?: string) {
  const { password_min_length: min } = await passwordRulesIn(request);
  return field('Password', 'password', {
    type: 'password',
    autocomplete: 'new-password',
    hint: `${min} characters or more. A sentence is better than a puzzle.`,
    fault,
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
  return show(request, {
    title: 'Your password has been changed',
    status: 404,
    lede: 'This link has been used for it. Log in with the password that was chosen then.',
    body: nextLink('Log in', LOGIN),
  });
}

function linkGone(request: PageRequest): PageResponse {
  return show(request, {
    title: 'This link is no longer valid',
    status: 404,
    lede: 'It has been used, or it is older than a day.',
    body: nextLink('Send me a new one', RESET),
  });
}

export const signInPages = [loginPage, resetRequestPage, resetPage];
