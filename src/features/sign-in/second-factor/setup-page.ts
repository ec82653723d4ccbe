import type { RealmRef } from '#kernel/auth';
import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import type { UserId } from '#kernel/ids';
import { firstFault, idOf, int, object, str } from '#kernel/schema';
import { below, field, form, formPage, hidden, noOrganization, qrCode, redirect, show, wayOn } from '#features/pages';
import { findUser, type UserRow } from '#features/users';
import { beginGuess } from '../guessing.ts';
import { verifyPassword } from '../passwords.ts';
import { findPasswordHash } from '../queries.ts';
import { seal, unseal } from '../sealed.ts';
import { type Destination, enter } from '../finish.ts';
import { cookiesAfter, SETUP_PATH, whoIsAsked } from './ask-page.ts';
import { mayTurnOff } from './demand.ts';
import { addSecondFactor, checkCode, hasSecondFactor, removeSecondFactor, renewRecoveryCodes } from './factor.ts';
import { countRecoveryCodes } from './queries.ts';
import { newTotpSecret, totpAddress } from './totp.ts';

const PATH = SETUP_PATH;
const PURPOSE = 'second-factor-setup';
/** Seconds that somebody has to scan a code and to confirm it. */
const SETUP_SECONDS = 1800;

const shape = object({ user_id: idOf<UserId>(), secret: str(), ends_at: int() });

/** Where somebody who is signed in turns codes on and off, and gets recovery codes. */
export const setupPage = formPage({
  path: PATH,
  show: (request) => withPerson(request, (realm, user) => showSetup(request, realm, user)),
  submit: (request, fields) =>
    withPerson(request, async (realm, user, destination) => {
      const { context } = request;
      const isOn = await context.store.query((tx) => hasSecondFactor(tx, realm, user.id));
      // Who has shown only the first factor sets up a second one, and changes none.
      if (isOn && destination) return redirect('/login/');
      return isOn ? change(request, realm, user, fields) : turnOn(request, realm, user, fields, destination);
    }),
});

/**
 * Only with a session of this browser: an API key opens no page that changes how its account is reached. Or for somebody who has
 * shown the first factor and gets no session without a second, who then wants to go on.
 */
async function withPerson(
  request: PageRequest,
  run: (realm: RealmRef, user: UserRow, destination?: Destination) => Promise<PageResponse>,
): Promise<PageResponse> {
  const { realm, actor, sessionToken, headers, context } = request;
  if (!realm) return noOrganization(request);
  const isBySession = actor !== null && sessionToken !== undefined && headers.authorization === undefined;
  const user = isBySession ? await context.store.query((tx) => findUser(tx, realm.id, actor.userId)) : undefined;
  if (user && !user.is_bot) return run(realm, user);
  const asked = headers.authorization === undefined ? await whoIsAsked(request) : undefined;
  if (!asked) return redirect(`/login/?next=${encodeURIComponent(PATH)}`);
  const { next, pad } = asked.pending;
  const isOn = await context.store.query((tx) => hasSecondFactor(tx, realm, asked.user.id));
  return isOn ? redirect('/login/') : run(realm, asked.user, { next, pad });
}

async function turnOn(
  request: PageRequest,
  realm: RealmRef,
  user: UserRow,
  fields: ReadonlyMap<string, string>,
  destination: Destination | undefined,
): Promise<PageResponse> {
  const { context } = request;
  const read = firstFault(shape, 'setup', await unseal(context, PURPOSE, fields.get('setup')));
  if ('fault' in read || read.value.user_id !== user.id || read.value.ends_at <= context.clock.now())
    return showSetup(request, realm, user);
  const { secret } = read.value;
  if (!(await knowsPassword(request, realm, user, fields.get('password') ?? '')))
    return showSetup(request, realm, user, { secret, fault: 'Your password is wrong.' });
  const codes = await addSecondFactor(context, realm, user, secret, fields.get('code') ?? '');
  if (codes && destination) return showCodesAndEnter(request, realm, user, codes, destination);
  return codes
    ? showCodes(request, codes)
    : showSetup(request, realm, user, { secret, fault: 'This code is wrong. Is the clock of your phone right?' });
}

/** Whoever only holds somebody's open browser does not shut them out. People without a password have none to show. */
async function knowsPassword(request: PageRequest, realm: RealmRef, user: UserRow, password: string): Promise<boolean> {
  const { context, address } = request;
  const hash = await context.store.query((tx) => findPasswordHash(tx, realm.id, user.id));
  if (hash === undefined) return true;
  const guess = await beginGuess(context.limits, realm, user.email, address);
  if (!(await verifyPassword(hash, password))) return false;
  await guess.right();
  return true;
}

/** Turns codes off, or makes new recovery codes: with a code only. */
async function change(
  request: PageRequest,
  realm: RealmRef,
  user: UserRow,
  fields: ReadonlyMap<string, string>,
): Promise<PageResponse> {
  const { context, address } = request;
  if (!(await checkCode(context, realm, user, fields.get('code') ?? '', address)))
    return showSetup(request, realm, user, { fault: 'This code is wrong, or it was used before.' });
  if (fields.get('do') === 'renew') return showCodes(request, await renewRecoveryCodes(context, realm, user.id));
  if (!(await context.store.query((tx) => mayTurnOff(tx, realm, user))))
    return showSetup(request, realm, user, { fault: `${realm.name} asks people of your role for a second factor.` });
  await removeSecondFactor(context, realm, user);
  return redirect(PATH);
}

interface State {
  readonly secret?: string;
  readonly fault?: string;
}

async function showSetup(
  request: PageRequest,
  realm: RealmRef,
  user: UserRow,
  state: State = {},
): Promise<PageResponse> {
  const { context } = request;
  const { isOn, left } = await context.store.query(async (tx) => ({
    isOn: await hasSecondFactor(tx, realm, user.id),
    left: await countRecoveryCodes(tx, realm.id, user.id),
  }));
  return show(request, {
    title: 'Second factor',
    lede: isOn
      ? `Logging in asks for a code of your authenticator app. You have ${left} recovery ${left === 1 ? 'code' : 'codes'} left.`
      : 'Logging in then asks for a code of an app on your phone, too.',
    status: state.fault === undefined ? 200 : 400,
    fault: state.fault,
    body: html`${isOn ? changeForms(request) : await setupForm(request, realm, user, state)}${below({ text: 'Start', href: '/' })}`,
  });
}

async function setupForm(request: PageRequest, realm: RealmRef, user: UserRow, state: State): Promise<Html> {
  const { context } = request;
  const secret = state.secret ?? (await newTotpSecret());
  const address = await totpAddress(secret, realm.name, user.email);
  const ends_at = context.clock.now() + SETUP_SECONDS;
  const sealed = await seal(context, PURPOSE, { user_id: user.id, secret, ends_at });
  const hasPassword = (await context.store.query((tx) => findPasswordHash(tx, realm.id, user.id))) !== undefined;
  const password = { type: 'password', autocomplete: 'current-password' } as const;
  return html`<div class="address-card">${await qrCode(address, 'Code for your authenticator app')}
<div><p>Scan this with an authenticator app, or type it in there:</p><p class="address">${secret}</p></div></div>
${form(
  request,
  PATH,
  html`${hidden('setup', sealed)}${hasPassword && field('Your password', 'password', password)}
${field('Code', 'code', { autocomplete: 'one-time-code', hint: 'Six digits that the app shows now.', maxLength: 10 })}`,
  'Turn on',
)}`;
}

function changeForms(request: PageRequest): Html {
  const hint = 'Of your app, or a recovery code.';
  const code = field('Code', 'code', { autocomplete: 'one-time-code', hint, maxLength: 40 });
  const choice = html`<div class="field"><label for="do">What to do</label><span class="select"><select class="input" id="do" name="do">
<option value="renew">New recovery codes</option><option value="off">Turn the second factor off</option></select></span></div>`;
  return form(request, PATH, html`${code}${choice}`, 'Go on');
}

/** Both factors are there now: the browser, or the app that opened it, gets in by the same answer. */
async function showCodesAndEnter(
  request: PageRequest,
  realm: RealmRef,
  user: UserRow,
  codes: readonly string[],
  destination: Destination,
): Promise<PageResponse> {
  const entered = await enter(request, realm, user, destination);
  const { location } = entered.headers ?? {};
  const shown = showCodes(request, codes, typeof location === 'string' ? location : '/');
  return { ...shown, headers: { ...shown.headers, 'set-cookie': cookiesAfter(request, entered) } };
}

function showCodes(request: PageRequest, codes: readonly string[], next = '/'): PageResponse {
  const grouped = codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code);
  return show(request, {
    title: 'Your recovery codes',
    lede: 'Each lets you in once without your phone. Keep them where nobody else reads them; they are not shown again.',
    body: html`<ul class="codes">${grouped.map((code) => html`<li><code>${code}</code></li>`)}</ul>${wayOn('I have kept them', next)}`,
  });
}
