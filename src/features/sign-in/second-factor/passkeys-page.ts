import type { PageRequest, PageResponse, RealmRequest } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { below, field, form, formPage, hidden, redirect, show, wordsFor } from '#features/pages';
import type { UserRow } from '#features/users';
import { isLockOut } from '../owners.ts';
import { isConfirmed, sealConfirmed } from './confirmed.ts';
import { hasTotp, listPasskeys, mayTurnOff } from '../factors/index.ts';
import { PASSKEYS_PATH, type Person, SETUP_PATH, withPerson } from './person.ts';
import { confirmedFirst, faultOfProof, proofForms, proofOf } from './proof.ts';
import { showCodes, showCodesAndEnter } from './recovery-codes.ts';
import type { PasskeyRow } from '../tables.ts';
import { addPasskey, passkeyForm, passkeyScript, relyingParty, removePasskey } from '../passkeys/index.ts';

type Fields = ReadonlyMap<string, string>;

/** Page on which people see, add and remove their passkeys. See protocol/authentication#passkeys. */
export const passkeysPage = formPage({
  path: PASSKEYS_PATH,
  show: (asked) =>
    withPerson(asked, PASSKEYS_PATH, (request, { user, destination }) =>
      destination ? showNew(request, user) : showPasskeys(request, user),
    ),
  submit: (asked, fields) =>
    withPerson(asked, PASSKEYS_PATH, async (request, person) => {
      const { user, destination } = person;
      const wanted = fields.get('do');
      if (wanted === 'create') return create(request, person, fields);
      // Somebody who has shown only the first factor may add a second one, but change none.
      if (destination) return redirect('/login/');
      if (wanted === 'end') return end(request, user, fields);
      return (await confirmedFirst(request, person, PASSKEYS_PATH)) ?? begin(request, user, fields);
    }),
});

/** Shows the form for a new passkey after the person has confirmed who they are. */
async function begin(request: RealmRequest, user: UserRow, fields: Fields): Promise<PageResponse> {
  const isAsked = fields.get('do') === 'prove' || (await proofOf(request, user)) === 'none';
  const fault = isAsked ? await faultOfProof(request, user, fields) : undefined;
  if (isAsked && fault === undefined) return showNew(request, user);
  return showProof(request, user, { title: wordsFor(request).t('passkeys.add'), fields: hidden('do', 'prove'), fault });
}

async function create(request: RealmRequest, { user, destination }: Person, fields: Fields): Promise<PageResponse> {
  if (!(await isConfirmed(request, user, fields))) return redirect(PASSKEYS_PATH);
  const added = await addPasskey(request, user, fields);
  if ('fault' in added) return showNew(request, user, added.fault);
  if (destination) return showCodesAndEnter(request, user, added.codes ?? [], destination);
  return added.codes ? showCodes(request, added.codes, PASSKEYS_PATH) : redirect(`${PASSKEYS_PATH}?added`);
}

async function end(request: RealmRequest, user: UserRow, fields: Fields): Promise<PageResponse> {
  const { context, realm } = request;
  const all = await context.store.in(realm).query((tx) => listPasskeys(tx, user.id));
  const row = all.find(({ id }) => String(id) === fields.get('id'));
  if (!row) return redirect(PASSKEYS_PATH);
  const isLast = all.length === 1 && !(await context.store.in(realm).query((tx) => hasTotp(tx, user.id)));
  if (isLast && !(await context.store.in(realm).query((tx) => mayTurnOff(tx, user))))
    return showPasskeys(request, user, wordsFor(request).t('codes.demanded', { name: realm.name }));
  const isAsked = fields.has('code') || fields.has('passkey');
  const fault = isAsked ? await faultOfProof(request, user, fields) : undefined;
  if (!isAsked || fault !== undefined) {
    const kept = html`${hidden('do', 'end')}${hidden('id', String(row.id))}`;
    return showProof(request, user, {
      title: wordsFor(request).t('passkeys.removeAsk', { name: row.name }),
      fields: kept,
      fault,
    });
  }
  try {
    await removePasskey(request, user, row.id);
  } catch (error) {
    if (isLockOut(error)) return showPasskeys(request, user, error.message);
    throw error;
  }
  return redirect(`${PASSKEYS_PATH}?removed`);
}

async function showProof(
  request: RealmRequest,
  user: UserRow,
  { title, fields, fault }: { readonly title: string; readonly fields: Html; readonly fault: string | undefined },
): Promise<PageResponse> {
  const { t, language } = wordsFor(request);
  const button = t('account.continue');
  const forms = await proofForms(request, user, { action: PASSKEYS_PATH, fields, button, fault });
  return show(request, {
    language,
    title,
    lede: t('account.confirmFirst'),
    status: fault === undefined ? 200 : 400,
    body: html`${forms}${below({ text: t('account.back'), href: PASSKEYS_PATH })}`,
  });
}

async function showNew(request: PageRequest, user: UserRow, fault?: string): Promise<PageResponse> {
  const { t, language, refusal } = wordsFor(request);
  const hint = t('passkeys.nameHint');
  const name = field(t('passkeys.name'), 'name', { autocomplete: 'off', hint, maxLength: 60, isOptional: true });
  const fields = html`${hidden('do', 'create')}${hidden('confirmed', await sealConfirmed(request, user))}${name}`;
  return show(request, {
    language,
    title: t('passkeys.add'),
    lede: t('passkeys.addLede'),
    status: fault === undefined ? 200 : 400,
    fault: refusal(fault),
    body: html`${passkeyForm(request, { use: 'register', action: PASSKEYS_PATH, fields, button: t('passkeys.make') })}
<p data-without-passkeys>${t('passkeys.cannotMake')}</p>
${await passkeyScript()}${below({ text: t('passkeys.codes'), href: SETUP_PATH })}`,
  });
}

async function showPasskeys(request: RealmRequest, user: UserRow, fault?: string): Promise<PageResponse> {
  const { context, url, realm } = request;
  const rows = await context.store.in(realm).query((tx) => listPasskeys(tx, user.id));
  const { t, language, refusal } = wordsFor(request);
  const notices: Readonly<Record<string, string>> = { added: t('passkeys.added'), removed: t('passkeys.removed') };
  const isPossible = relyingParty(realm) !== undefined;
  return show(request, {
    language,
    title: t('passkeys.title'),
    lede: t('passkeys.lede'),
    notice: notices[url.search.slice(1)],
    status: fault === undefined ? 200 : 400,
    fault: refusal(fault),
    wide: true,
    body: html`${rows.length > 0 ? html`<ul class="sessions">${rows.map((row) => item(request, row))}</ul>` : html`<p>${t('passkeys.none')}</p>`}
${isPossible ? form(request, PASSKEYS_PATH, hidden('do', 'begin'), t('passkeys.add')) : html`<p>${t('passkeys.needName')}</p>`}
${below({ text: t('common.start'), href: '/' }, { text: t('passkeys.codes'), href: SETUP_PATH }, { text: t('sessions.title'), href: '/accounts/sessions/' })}`,
  });
}

function item(request: PageRequest, { id, name, created_at, last_used_at }: PasskeyRow): Html {
  const { t, moment } = wordsFor(request);
  const fields = html`${hidden('do', 'end')}${hidden('id', String(id))}`;
  const used = last_used_at === null ? t('passkeys.unused') : t('account.lastUsed', { time: moment(last_used_at) });
  const added = t('passkeys.addedAt', { time: moment(created_at) });
  return html`<li><strong dir="auto">${name}</strong><small>${used}<br>${added}</small>
${form(request, PASSKEYS_PATH, fields, { text: t('passkeys.remove'), spoken: t('passkeys.removeOne', { name }) })}</li>`;
}
