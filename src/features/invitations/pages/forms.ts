import { below, field, form, hidden, ownIcon, show, wordsFor } from '#features/pages';
import { newPasswordField } from '#features/sign-in';
import { findUser } from '#features/users';
import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { html } from '#kernel/html';
import type { InvitationRow } from '../tables.ts';

/** Address to which the form of an invited person is sent. */
export const REGISTER = '/accounts/register';

/** What is wrong with the submitted fields. */
export interface JoiningFaults {
  readonly full_name?: string | undefined;
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

export const isRefused = (faults: JoiningFaults) => Object.values(faults).some((fault) => fault !== undefined);

/** The page for creating an account, and what was wrong with the last attempt. */
interface Registration {
  readonly invitation: InvitationRow;
  readonly key: string;
  readonly fault?: string;
  readonly faults?: JoiningFaults;
  readonly full_name?: string;
}

export async function showRegistration(
  request: PageRequest,
  { invitation, key, fault, faults, full_name }: Registration,
): Promise<PageResponse> {
  const { realm } = request;
  const { t, language, refusal } = wordsFor(request);
  const fields = html`${hidden('key', key)}
${field(t('common.email'), 'email', { type: 'email', value: invitation.email ?? '', autocomplete: 'username', isFixed: true, hint: t('join.fixedAddress') })}
${field(t('common.yourName'), 'full_name', { value: full_name, fault: refusal(faults?.full_name), autocomplete: 'name', maxLength: 100 })}
${await newPasswordField(request, faults?.password)}`;
  return show(request, {
    language,
    title: t('join.title', { name: realm?.name ?? '' }),
    icon: await ownIcon(request),
    lede: await invitedBy(request, invitation),
    status: fault === undefined && !faults ? 200 : 400,
    fault: refusal(fault),
    body: html`${form(request, REGISTER, fields, t('join.join'))}${below({ text: t('join.haveAccount'), href: '/login/' })}`,
  });
}

export async function showAccountForm(
  request: PageRequest,
  state: {
    invitation: InvitationRow | undefined;
    fault?: string | undefined;
    faults?: JoiningFaults;
    email?: string;
    full_name?: string;
  },
  status = 400,
): Promise<PageResponse> {
  const { fault, faults } = state;
  const { t, language, refusal } = wordsFor(request);
  const fields = html`${field(t('common.yourName'), 'full_name', { value: state.full_name, fault: refusal(faults?.full_name), autocomplete: 'name', maxLength: 100 })}
${field(t('common.email'), 'email', { type: 'email', value: state.email, fault: refusal(faults?.email), autocomplete: 'username' })}
${await newPasswordField(request, faults?.password)}`;
  return show(request, {
    language,
    title: t('join.title', { name: request.realm?.name ?? '' }),
    icon: await ownIcon(request),
    lede: (await invitedBy(request, state.invitation)) ?? t('join.choose'),
    status: fault === undefined && !faults ? 200 : status,
    fault: refusal(fault),
    body: html`${form(request, request.url.pathname, fields, t('join.join'))}${below({ text: t('join.haveAccount'), href: '/login/' })}`,
  });
}

export async function showAddressForm(
  request: PageRequest,
  { invitation, fault }: { invitation: InvitationRow | undefined; fault?: string },
  status = 400,
): Promise<PageResponse> {
  const { t, language, refusal } = wordsFor(request);
  const fields = field(t('common.email'), 'email', { type: 'email', autocomplete: 'email', fault: refusal(fault) });
  return show(request, {
    language,
    title: t('join.title', { name: request.realm?.name ?? '' }),
    icon: await ownIcon(request),
    lede: [await invitedBy(request, invitation), t('join.sendsLink')].join(' ').trim(),
    status: fault === undefined ? 200 : status,
    body: html`${form(request, request.url.pathname, fields, t('join.continue'))}${below({ text: t('join.haveAccount'), href: '/login/' })}`,
  });
}

/** Says who made an invitation or a link, if that is known. */
async function invitedBy(request: PageRequest, invitation: InvitationRow | undefined): Promise<string | undefined> {
  const { realm, context } = request;
  const id = invitation?.inviter_id ?? null;
  if (!realm || id === null) return undefined;
  const inviter = await context.store.in(realm).query((tx) => findUser(tx, id));
  return inviter && wordsFor(request).t('join.invitedBy', { name: inviter.full_name });
}

/** Returns a time zone's name if it has the form of one, otherwise an empty string. */
export function zoneOf(text: string | undefined): string {
  return text !== undefined && /^[A-Za-z0-9_+/-]{1,40}$/.test(text) ? text : '';
}
