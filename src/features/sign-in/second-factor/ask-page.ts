import type { RealmRef } from '#kernel/auth';
import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { html } from '#kernel/html';
import type { RealmId, UserId } from '#kernel/ids';
import { firstFault, idOf, int, maybe, object, type SchemaOf, str } from '#kernel/schema';
import { below, field, form, formPage, noOrganization, redirect, show } from '#features/pages';
import { findUser, type UserRow } from '#features/users';
import { APP_POLICY, type Destination, enter } from '../finish.ts';
import { seal, sealedCookie, sealedCookieName, unseal } from '../sealed.ts';
import { nextStep } from './demand.ts';
import { checkCode } from './factor.ts';

const PATH = '/accounts/second-factor/';
/** Where somebody sets up codes. */
export const SETUP_PATH = '/accounts/second-factor/setup/';
const COOKIE = 'first-factor';
/** Seconds that somebody has to type a code. */
const PENDING_SECONDS = 600;

const shape = object({
  realm_id: idOf<RealmId>(),
  user_id: idOf<UserId>(),
  /** Changes with the password: whoever knows the old one has passed nothing any more. */
  key_version: int(),
  next: maybe(str()),
  pad: maybe(str()),
  ends_at: int(),
});
type Pending = SchemaOf<typeof shape>;

/**
 * Lets somebody in who has shown the first factor, or asks for the second where their account has one. Until then the browser
 * has no session: what it has opens the question and nothing else. See protocol/authentication#second-factor.
 */
export async function enterOrAsk(
  request: PageRequest,
  realm: RealmRef,
  user: UserRow,
  { next, pad }: Destination,
): Promise<PageResponse> {
  const { context } = request;
  const step = await context.store.query((tx) => nextStep(tx, realm, user));
  if (step === 'in') return enter(request, realm, user, { next, pad });
  const ends_at = context.clock.now() + PENDING_SECONDS;
  const pending: Pending = {
    realm_id: realm.id,
    user_id: user.id,
    key_version: user.api_key_version,
    next,
    pad,
    ends_at,
  };
  const cookie = sealedCookie(context, COOKIE, await seal(context, COOKIE, pending), PENDING_SECONDS);
  return redirect(step === 'ask' ? PATH : SETUP_PATH, [cookie]);
}

export const askPage = formPage({
  path: PATH,
  show: async (request) => {
    const asked = await whoIsAsked(request);
    return asked ? showQuestion(request, asked.pending) : redirect('/login/');
  },
  submit: async (request, fields) => {
    const { context, realm, address } = request;
    if (!realm) return noOrganization(request);
    const asked = await whoIsAsked(request);
    if (!asked) return redirect('/login/');
    const { user, pending } = asked;
    if (!(await checkCode(context, realm, user, fields.get('code') ?? '', address)))
      return showQuestion(request, pending, 'This code is wrong, or it was used before.');
    const entered = await enter(request, realm, user, { next: pending.next, pad: pending.pad });
    return { ...entered, headers: { ...entered.headers, 'set-cookie': cookiesAfter(request, entered) } };
  },
});

/** The cookies of somebody who is in: what said that they had shown the first factor is over. */
export function cookiesAfter({ context }: PageRequest, entered: PageResponse): readonly string[] {
  const set = entered.headers?.['set-cookie'] ?? [];
  return [...(typeof set === 'string' ? [set] : set), sealedCookie(context, COOKIE, '', 0)];
}

/** Who has passed the first factor in this browser, while that counts. */
export async function whoIsAsked({
  context,
  realm,
  cookies,
}: PageRequest): Promise<{ readonly user: UserRow; readonly pending: Pending } | undefined> {
  const sent = cookies[sealedCookieName(context, COOKIE)];
  const read = firstFault(shape, 'pending', await unseal(context, COOKIE, sent));
  if ('fault' in read || !realm) return undefined;
  const pending = read.value;
  if (pending.realm_id !== realm.id || pending.ends_at <= context.clock.now()) return undefined;
  const user = await context.store.query((tx) => findUser(tx, realm.id, pending.user_id));
  if (!user?.is_active || realm.isDeactivated || user.api_key_version !== pending.key_version) return undefined;
  return { user, pending };
}

function showQuestion(request: PageRequest, { pad }: Pending, fault?: string): PageResponse {
  const hint = 'Six digits of your authenticator app, or one of your recovery codes.';
  const code = field('Code', 'code', { autocomplete: 'one-time-code', hint, fault, maxLength: 40 });
  return show(request, {
    title: 'Your second factor',
    status: fault === undefined ? 200 : 401,
    ...(pad !== undefined && { headers: { 'content-security-policy': APP_POLICY } }),
    body: html`${form(request, PATH, code, 'Log in')}${below({ text: 'Back to log-in', href: '/login/' })}`,
  });
}
