import type { PageRequest, PageResponse, RealmRequest } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import type { UserId } from '#kernel/ids';
import { firstFault, idOf, int, object, str } from '#kernel/schema';
import { below, field, form, formPage, hidden, qrCode, redirect, show, wordsFor } from '#features/pages';
import type { UserRow } from '#features/users';
import {
  addSecondFactor,
  checkCode,
  countRecoveryCodes,
  hasTotp,
  listPasskeys,
  mayTurnOff,
  newTotpSecret,
  removeSecondFactor,
  renewRecoveryCodes,
  totpAddress,
} from '../factors/index.ts';
import { findPasswordHash } from '../queries.ts';
import { seal, unseal } from '../sealed.ts';
import { isConfirmed, sealConfirmed } from './confirmed.ts';
import { PASSKEYS_PATH, type Person, SETUP_PATH, withPerson } from './person.ts';
import { confirmedFirst, faultOfProof, knowsPassword, proofForms, proofOf } from './proof.ts';
import { showCodes, showCodesAndEnter } from './recovery-codes.ts';

const PATH = SETUP_PATH;
const PURPOSE = 'second-factor-setup';
/** Seconds within which somebody must scan a QR code and confirm it. */
const SETUP_SECONDS = 1800;

const shape = object({ user_id: idOf<UserId>(), secret: str(), ends_at: int() });

/** Page on which somebody who is signed in turns codes on and off, and gets recovery codes. */
export const setupPage = formPage({
  path: PATH,
  show: (asked) =>
    withPerson(
      asked,
      PATH,
      async (request, person) => (await confirmedFirst(request, person, PATH)) ?? showSetup(request, person.user),
    ),
  submit: (asked, fields) =>
    withPerson(asked, PATH, async (request, person) => {
      const { user } = person;
      const first = await confirmedFirst(request, person, PATH);
      if (first) return first;
      if (await request.context.store.in(request.realm).query((tx) => hasTotp(tx, user.id)))
        return change(request, user, fields);
      return fields.get('do') === 'prove' ? prove(request, user, fields) : turnOn(request, person, fields);
    }),
});

async function turnOn(
  request: RealmRequest,
  { user, destination }: Person,
  fields: ReadonlyMap<string, string>,
): Promise<PageResponse> {
  const { context } = request;
  const read = firstFault(shape, 'setup', await unseal(context, PURPOSE, fields.get('setup')));
  if ('fault' in read || read.value.user_id !== user.id || read.value.ends_at <= context.clock.now())
    return showSetup(request, user);
  const { secret } = read.value;
  const isByFactor = (await proofOf(request, user)) === 'factor';
  if (isByFactor && !(await isConfirmed(request, user, fields))) return showSetup(request, user);
  if (!isByFactor && !(await knowsPassword(request, user, fields.get('password') ?? '')))
    return showSetup(request, user, { secret, fault: 'Your password is wrong.' });
  const codes = await addSecondFactor(request, user, { secret, code: fields.get('code') ?? '' });
  if (codes && destination) return showCodesAndEnter(request, user, codes, destination);
  return codes
    ? showCodes(request, codes)
    : showSetup(request, user, {
        secret,
        isProven: isByFactor,
        fault: 'This code is wrong. Is the clock of your phone right?',
      });
}

/** Checks the proof of somebody who has a passkey, before they may add codes. */
async function prove(request: RealmRequest, user: UserRow, fields: ReadonlyMap<string, string>): Promise<PageResponse> {
  const fault = await faultOfProof(request, user, fields);
  return showSetup(request, user, fault === undefined ? { isProven: true } : { fault });
}

/** Turns codes off, or makes new recovery codes; needs a code. */
async function change(
  request: RealmRequest,
  user: UserRow,
  fields: ReadonlyMap<string, string>,
): Promise<PageResponse> {
  const { context, realm } = request;
  if (!(await checkCode(request, user, fields.get('code') ?? '')))
    return showSetup(request, user, { fault: 'This code is wrong, or it was used before.' });
  if (fields.get('do') === 'renew') return showCodes(request, await renewRecoveryCodes(request, user.id));
  const mayEnd = await context.store
    .in(realm)
    .query(async (tx) => (await mayTurnOff(tx, user)) || (await listPasskeys(tx, user.id)).length > 0);
  if (!mayEnd) return showSetup(request, user, { fault: wordsFor(request).t('codes.demanded', { name: realm.name }) });
  await removeSecondFactor(request, user);
  return redirect(PATH);
}

interface State {
  readonly secret?: string;
  /** Whether somebody who has passkeys has just shown one. */
  readonly isProven?: boolean;
  readonly fault?: string;
}

async function showSetup(request: RealmRequest, user: UserRow, state: State = {}): Promise<PageResponse> {
  const { context, realm } = request;
  const { isOn, left } = await context.store.in(realm).query(async (tx) => ({
    isOn: await hasTotp(tx, user.id),
    left: await countRecoveryCodes(tx, user.id),
  }));
  const { t, language, refusal } = wordsFor(request);
  return show(request, {
    language,
    title: t('sessions.secondFactor'),
    lede: isOn ? t('codes.ledeOn', { count: left }) : t('codes.lede'),
    status: state.fault === undefined ? 200 : 400,
    fault: refusal(state.fault),
    body: html`${isOn ? changeForms(request) : await setupForm(request, user, state)}${below({ text: t('common.start'), href: '/' }, { text: t('passkeys.title'), href: PASSKEYS_PATH })}`,
  });
}

async function setupForm(request: RealmRequest, user: UserRow, state: State): Promise<Html> {
  const { context, realm } = request;
  const { t } = wordsFor(request);
  const isByFactor = (await proofOf(request, user)) === 'factor';
  if (isByFactor && state.isProven !== true) {
    const asked = { action: PATH, fields: hidden('do', 'prove'), button: t('account.continue'), fault: undefined };
    return html`<p>${t('account.confirmFirst')}</p>${await proofForms(request, user, asked)}`;
  }
  const secret = state.secret ?? (await newTotpSecret());
  const address = await totpAddress(secret, realm.name, user.email);
  const ends_at = context.clock.now() + SETUP_SECONDS;
  const sealed = await seal(context, PURPOSE, { user_id: user.id, secret, ends_at });
  const hash = await context.store.in(realm).query((tx) => findPasswordHash(tx, user.id));
  const hasPassword = !isByFactor && hash !== undefined;
  const password = { type: 'password', autocomplete: 'current-password' } as const;
  return html`<div class="address-card">${await qrCode(address, t('codes.picture'))}
<div><p>${t('codes.scan')}</p><p class="address">${secret}</p></div></div>
${form(
  request,
  PATH,
  html`${hidden('setup', sealed)}${isByFactor && hidden('confirmed', await sealConfirmed(request, user))}${hasPassword && field(t('account.yourPassword'), 'password', password)}
${field(t('common.code'), 'code', { autocomplete: 'one-time-code', hint: t('codes.codeHint'), maxLength: 10 })}`,
  t('codes.turnOn'),
)}`;
}

function changeForms(request: PageRequest): Html {
  const { t } = wordsFor(request);
  const hint = t('account.codeHint');
  const code = field(t('common.code'), 'code', { autocomplete: 'one-time-code', hint, maxLength: 40 });
  const choice = html`<div class="field"><label for="do">${t('codes.what')}</label><span class="select"><select class="input" id="do" name="do">
<option value="renew">${t('codes.renew')}</option><option value="off">${t('codes.turnOff')}</option></select></span></div>`;
  return form(request, PATH, html`${code}${choice}`, t('account.continue'));
}
