import { hasRealm, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { below, field, form, formPage, noOrganization, redirect, show, wordsFor } from '#features/pages';
import type { UserRow } from '#features/users';
import { APP_POLICY, type Destination, enter } from '../finish.ts';
import { answeredBy, passkeyForm, passkeyScript } from '../passkeys/index.ts';
import { checkCode, hasTotp, listPasskeys, nextStep } from '../factors/index.ts';
import {
  ASK_PATH,
  cookiesAfter,
  destinationOf,
  type Pending,
  pendingCookie,
  SETUP_PATH,
  whoIsAsked,
} from './person.ts';

/**
 * Signs somebody in who has shown the first factor, or asks for the second if their account has one. Until then the
 * browser has no session, only a cookie for the page that asks. See protocol/authentication#second-factor.
 */
export async function enterOrAsk(
  request: RealmRequest,
  user: UserRow,
  destination: Destination,
): Promise<PageResponse> {
  const step = await request.context.store.in(request.realm).query((tx) => nextStep(tx, user));
  if (step === 'in') return enter(request, user, destination);
  const cookie = await pendingCookie(request, user, destination);
  return redirect(step === 'ask' ? ASK_PATH : SETUP_PATH, [cookie]);
}

interface Asked {
  readonly user: UserRow;
  readonly pending: Pending;
}

export const askPage = formPage({
  path: ASK_PATH,
  show: async (request) => {
    const asked = await whoIsAsked(request);
    return asked && hasRealm(request) ? showQuestion(request, asked) : redirect('/login/');
  },
  submit: async (request, fields) => {
    if (!hasRealm(request)) return noOrganization(request);
    const asked = await whoIsAsked(request);
    if (!asked) return redirect('/login/');
    const fault = await faultOf(request, asked.user, fields);
    if (fault !== undefined) return showQuestion(request, asked, fault);
    const entered = await enter(request, asked.user, destinationOf(asked.pending));
    return { ...entered, headers: { ...entered.headers, 'set-cookie': cookiesAfter(request, entered) } };
  },
});

/** Returns what is wrong with a code, or with the answer of a passkey. */
async function faultOf(
  request: RealmRequest,
  user: UserRow,
  fields: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  if (fields.has('passkey')) {
    const answered = await answeredBy(request, 'factor', user, fields);
    return 'fault' in answered ? answered.fault : undefined;
  }
  const isRight = await checkCode(request, user, fields.get('code') ?? '');
  return isRight ? undefined : 'This code is wrong, or it was used before.';
}

async function showQuestion(request: RealmRequest, { user, pending }: Asked, fault?: string): Promise<PageResponse> {
  const { hasApp, hasPasskeys } = await request.context.store.in(request.realm).query(async (tx) => ({
    hasApp: await hasTotp(tx, user.id),
    hasPasskeys: (await listPasskeys(tx, user.id)).length > 0,
  }));
  const { t, language, refusal } = wordsFor(request);
  const hint = t(hasApp ? 'factor.codeHint' : 'factor.recoveryHint');
  const shown = { autocomplete: 'one-time-code', hint, fault: refusal(fault), maxLength: 40 } as const;
  const code = field(t('common.code'), 'code', shown);
  const way = { use: 'factor', action: ASK_PATH, button: t('common.usePasskey'), isFirstOfWays: true } as const;
  return show(request, {
    language,
    title: t('factor.title'),
    status: fault === undefined ? 200 : 401,
    ...(pending.pad !== undefined && { headers: { 'content-security-policy': APP_POLICY } }),
    body: html`${hasPasskeys && passkeyForm(request, way)}${form(request, ASK_PATH, code, t('common.logIn'))}${below({ text: t('common.backToLogIn'), href: '/login/' })}${hasPasskeys && (await passkeyScript())}`,
  });
}
