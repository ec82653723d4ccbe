import { below, field, form, hidden, ownIcon, show } from '#features/pages';
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
  const fields = html`${hidden('key', key)}
${field('Email address', 'email', { type: 'email', value: invitation.email ?? '', autocomplete: 'username', isFixed: true, hint: 'The invitation was sent to this address.' })}
${field('Your name', 'full_name', { value: full_name, fault: faults?.full_name, autocomplete: 'name', maxLength: 100 })}
${await newPasswordField(request, faults?.password)}`;
  return show(request, {
    title: `Join ${realm?.name ?? ''}`,
    icon: await ownIcon(request),
    lede: await invitedBy(request, invitation),
    status: fault === undefined && !faults ? 200 : 400,
    fault,
    body: html`${form(request, REGISTER, fields, 'Join')}${below({ text: 'I already have an account', href: '/login/' })}`,
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
  const fields = html`${field('Your name', 'full_name', { value: state.full_name, fault: faults?.full_name, autocomplete: 'name', maxLength: 100 })}
${field('Email address', 'email', { type: 'email', value: state.email, fault: faults?.email, autocomplete: 'username' })}
${await newPasswordField(request, faults?.password)}`;
  return show(request, {
    title: `Join ${request.realm?.name ?? ''}`,
    icon: await ownIcon(request),
    lede: (await invitedBy(request, state.invitation)) ?? 'Choose a name and a password.',
    status: fault === undefined && !faults ? 200 : status,
    fault,
    body: html`${form(request, request.url.pathname, fields, 'Join')}${below({ text: 'I already have an account', href: '/login/' })}`,
  });
}

export async function showAddressForm(
  request: PageRequest,
  { invitation, fault }: { invitation: InvitationRow | undefined; fault?: string },
  status = 400,
): Promise<PageResponse> {
  const fields = field('Email address', 'email', { type: 'email', autocomplete: 'email', fault });
  return show(request, {
    title: `Join ${request.realm?.name ?? ''}`,
    icon: await ownIcon(request),
    lede: [await invitedBy(request, invitation), 'We send you a link to choose a name and a password.']
      .join(' ')
      .trim(),
    status: fault === undefined ? 200 : status,
    body: html`${form(request, request.url.pathname, fields, 'Continue')}${below({ text: 'I have an account', href: '/login/' })}`,
  });
}

/** Says who made an invitation or a link, if that is known. */
async function invitedBy(
  { realm, context }: PageRequest,
  invitation: InvitationRow | undefined,
): Promise<string | undefined> {
  const id = invitation?.inviter_id ?? null;
  if (!realm || id === null) return undefined;
  const inviter = await context.store.in(realm).query((tx) => findUser(tx, id));
  return inviter && `${inviter.full_name} invited you.`;
}

/** Returns a time zone's name if it has the form of one, otherwise an empty string. */
export function zoneOf(text: string | undefined): string {
  return text !== undefined && /^[A-Za-z0-9_+/-]{1,40}$/.test(text) ? text : '';
}
