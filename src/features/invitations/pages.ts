import {
  below,
  field,
  form,
  formPage,
  hidden,
  noOrganization,
  ownIcon,
  redirect,
  show,
  nextLink,
} from '#features/pages';
import { type RealmSettings, readRealm, settingsOf } from '#features/realms';
import {
  beginSession,
  enterAgain,
  newPasswordField,
  openByKey,
  passwordFaultIn,
  redirectIn,
  tryToEnter,
} from '#features/sign-in';
import { findUser, nameFault } from '#features/users';
import { hasRealm, type Page, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { ApiError } from '#kernel/errors';
import { html } from '#kernel/html';
import { enqueue } from '#kernel/jobs';
import { networkOf } from '#kernel/limits';
import { foldCase } from '#kernel/text';
import { addressReason } from './addresses.ts';
import { confirmationJob, trustAddress } from './confirm.ts';
import { join, parentLives } from './join.ts';
import { isKeyShape, keyHash } from './keys.ts';
import { isOver } from './manage.ts';
import { findInvitationByKey } from './queries.ts';
import type { InvitationRow } from './tables.ts';

const REGISTER = '/accounts/register';

/** The invitation of a key, or the page that says why the key is invalid. */
type Opened = Invited<InvitationRow> | { readonly refusal: PageResponse };
interface Invited<Invitation> {
  readonly request: RealmRequest;
  readonly invitation: Invitation;
}

/**
 * Looks up a key. Malformed, unknown and expired keys get different pages; see protocol/invitations#joining, bad key.
 */
async function open(request: PageRequest, key: string, isLink: boolean): Promise<Opened> {
  if (!hasRealm(request)) return { refusal: noOrganization(request) };
  const { realm, context } = request;
  if (!isKeyShape(key))
    return { refusal: bad(request, 'This link is malformed', 'Copy the whole address from the mail.') };
  const find = () =>
    context.store.in(realm).read(async (tx) => {
      const invitation = await findInvitationByKey(tx, keyHash(key));
      return invitation && { invitation, parent: await parentLives(tx, invitation) };
    });
  const found = await openByKey(request, find);
  if (!found || (found.invitation.invitation_kind === 'link') !== isLink)
    return {
      refusal: bad(request, 'This link does not exist', 'Check the address, or ask for a new invitation.'),
    };
  const { invitation, parent } = found;
  if (invitation.invitation_state !== 'pending' || !parent || isOver(invitation, context.clock.now()))
    return {
      refusal: bad(request, GONE, OVER),
    };
  return { request, invitation };
}

const GONE = 'This link is no longer valid';
const OVER = 'It has been used or revoked, or it has expired.';

function bad(request: PageRequest, title: string, text: string): PageResponse {
  return show(request, { title, lede: text, status: 404, body: nextLink('Log in', '/login/') });
}

const confirmPage = formPage({
  path: '/accounts/do_confirm/{key}',
  show: async (request) => {
    const key = request.path['key'] ?? '';
    const opened = await open(request, key, false);
    return 'refusal' in opened ? opened.refusal : showRegistration(request, { invitation: opened.invitation, key });
  },
  submit: (request) => Promise.resolve(redirect(request.url.pathname)),
});

const registerPage = formPage({
  path: REGISTER,
  show: () => Promise.resolve(redirect('/register/')),
  submit: async (request, fields) => {
    const key = fields.get('key') ?? '';
    const opened = await open(request, key, false);
    if ('refusal' in opened) return (await joinedBefore(request, key, fields)) ?? opened.refusal;
    const { invitation } = opened;
    if (fields.has('from_confirmation')) return showRegistration(request, { invitation, key });
    const full_name = (fields.get('full_name') ?? '').trim();
    const password = fields.get('password') ?? '';
    const words = [full_name, invitation.email ?? ''];
    const faults = {
      full_name: nameFault(full_name),
      password: await passwordFaultIn(opened.request, password, words),
    };
    if (isRefused(faults)) return showRegistration(request, { invitation, key, faults, full_name });
    const timezone = zoneOf(fields.get('timezone'));
    const joined = await join(opened.request, key, { full_name, password, timezone });
    if ('fault' in joined) return showRegistration(request, { invitation, key, fault: joined.fault, full_name });
    if ('taken' in joined) return logIn(opened.request, joined.taken, password);
    if ('gone' in joined) return (await joinedBefore(request, key, fields)) ?? bad(request, GONE, OVER);
    return redirectIn('/', await beginSession(opened.request, joined.user));
  },
});

/**
 * Answers a form whose invitation has made an account already: the browser that sent it twice, because no answer came, is
 * signed in as by the first one. Undefined if it has not.
 */
async function joinedBefore(
  request: PageRequest,
  key: string,
  fields: ReadonlyMap<string, string>,
): Promise<PageResponse | undefined> {
  if (!hasRealm(request) || !isKeyShape(key)) return undefined;
  const { context, realm } = request;
  const found = await context.store.in(realm).query((tx) => findInvitationByKey(tx, keyHash(key)));
  if (!found?.email || found.invitation_state !== 'used') return undefined;
  const typed = { username: found.email, password: fields.get('password') ?? '' };
  const lede = 'It was created with this link. Log in with the password that was chosen then.';
  return (await enterAgain(request, key, { typed, next: '/' })) ?? bad(request, 'This account already exists', lede);
}

/** Signs in somebody who has an account, or asks for its password. */
async function logIn(request: RealmRequest, email: string, password: string): Promise<PageResponse> {
  const entered = await tryToEnter(request, { username: email, password }, '/');
  return entered ?? redirect(`/login/?${new URLSearchParams({ email }).toString()}`);
}

/** What is wrong with the submitted fields. */
interface JoiningFaults {
  readonly full_name?: string | undefined;
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

const isRefused = (faults: JoiningFaults) => Object.values(faults).some((fault) => fault !== undefined);

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
function zoneOf(text: string | undefined): string {
  return text !== undefined && /^[A-Za-z0-9_+/-]{1,40}$/.test(text) ? text : '';
}

/** The page for creating an account, and what was wrong with the last attempt. */
interface Registration {
  readonly invitation: InvitationRow;
  readonly key: string;
  readonly fault?: string;
  readonly faults?: JoiningFaults;
  readonly full_name?: string;
}

async function showRegistration(
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

const linkPage = formPage({
  path: '/join/{key}',
  show: async (request) => {
    const opened = await openLink(request);
    if ('refusal' in opened) return opened.refusal;
    const { invitation } = opened;
    return (await isTrusted(opened))
      ? showAccountForm(request, { invitation })
      : showAddressForm(request, { invitation });
  },
  submit: async (request, fields) => {
    const opened = await openLink(request);
    if ('refusal' in opened) return opened.refusal;
    const { invitation } = opened;
    if (invitation && (await isTrusted(opened))) return joinAtOnce(opened.request, invitation, fields);
    return takeAddress(opened.request, invitation, fields);
  },
});

/**
 * Whether an address is accepted without verification when its user follows a link: only if this server sends no mail,
 * no identity provider finds accounts by address, and the organization does not restrict addresses. See
 * protocol/invitations#joining.
 */
async function isTrusted({ request, invitation }: Invited<InvitationRow | undefined>): Promise<boolean> {
  const { sendsMail, mode } = request.context.server;
  if (!invitation || sendsMail || mode === 'development') return false;
  if (findsAccountsByAddress(request)) return false;
  return !(await settingsFor(request)).emails_restricted_to_domains;
}

/**
 * Whether identity providers or directories find accounts by address: the owner of an address would then sign in to the
 * account of whoever joined with it before.
 */
function findsAccountsByAddress({ context, realm }: RealmRequest): boolean {
  const { providers, proxy, jwt, directories } = context.identity;
  const isInDirectory = directories.has(realm.subdomain);
  return providers.length > 0 || proxy !== undefined || Object.keys(jwt).length > 0 || isInDirectory;
}

/** Creates the account without a confirmation mail. */
async function joinAtOnce(
  request: RealmRequest,
  invitation: InvitationRow,
  fields: ReadonlyMap<string, string>,
): Promise<PageResponse> {
  const { context, realm } = request;
  const email = (fields.get('email') ?? '').trim();
  const full_name = (fields.get('full_name') ?? '').trim();
  const password = fields.get('password') ?? '';
  const refuse = (fault: string | undefined, faults: JoiningFaults = {}, status?: number) =>
    showAccountForm(request, { invitation, fault, faults, email, full_name }, status);
  const faults = {
    full_name: nameFault(full_name),
    email: await context.store.in(realm).read((tx) => addressReason(tx, email)),
    password: await passwordFaultIn(request, password, [full_name, email]),
  };
  if (isRefused(faults)) return refuse(undefined, faults);
  if (!(await mayTry(request, email))) return refuse(TOO_MANY, {}, 429);
  const key = await trustAddress(request, { link: invitation, email });
  const joined = await join(request, key, { full_name, password, timezone: zoneOf(fields.get('timezone')) });
  if ('fault' in joined) return refuse(joined.fault);
  if ('taken' in joined) return logIn(request, joined.taken, password);
  if ('gone' in joined) return bad(request, GONE, 'It has been revoked, or it has expired.');
  return redirectIn('/', await beginSession(request, joined.user));
}

async function showAccountForm(
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

/** Counts an attempt to join, by network and by email address; false if it exceeds a limit. */
async function mayTry({ context, address, realm }: RealmRequest, email: string): Promise<boolean> {
  try {
    await context.limits.take('sign-up-address', networkOf(address));
    await context.limits.take('sign-up', `${realm.id}:${foldCase(email)}`);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

const TOO_MANY = 'Too many requests. Wait a while.';

/**
 * In an organization that needs no invitation, an invalid link is treated like none. See protocol/invitations#joining.
 */
async function openLink(request: PageRequest): Promise<Invited<InvitationRow | undefined> | { refusal: PageResponse }> {
  const opened = await open(request, request.path['key'] ?? '', true);
  if (!('refusal' in opened) || !hasRealm(request)) return opened;
  return (await settingsFor(request)).invite_required ? opened : { request, invitation: undefined };
}

const signUpPage = formPage({
  path: '/register/',
  show: async (request) => {
    const refusal = await signUpRefusal(request);
    return refusal ?? showAddressForm(request, { invitation: undefined });
  },
  submit: async (request, fields) => {
    if (!hasRealm(request)) return noOrganization(request);
    return (await signUpRefusal(request)) ?? takeAddress(request, undefined, fields);
  },
});

async function signUpRefusal(request: PageRequest): Promise<PageResponse | undefined> {
  if (!hasRealm(request)) return noOrganization(request);
  if (!(await settingsFor(request)).invite_required) return undefined;
  return show(request, {
    title: 'You need an invitation',
    status: 403,
    lede: `Ask somebody of ${request.realm.name} to invite you.`,
    body: nextLink('Log in', '/login/'),
  });
}

async function settingsFor({ context, realm }: RealmRequest): Promise<RealmSettings> {
  return settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
}

async function showAddressForm(
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

/**
 * Mails a confirmation link to an address. One that has an account gets none; neither the page nor the time it takes
 * shows the difference.
 */
async function takeAddress(
  request: RealmRequest,
  link: InvitationRow | undefined,
  fields: ReadonlyMap<string, string>,
): Promise<PageResponse> {
  const { context, realm } = request;
  const email = (fields.get('email') ?? '').trim();
  const fault = await context.store.in(realm).read((tx) => addressReason(tx, email));
  if (fault !== undefined) return showAddressForm(request, { invitation: link, fault });
  if (!(await mayTry(request, email))) return showAddressForm(request, { invitation: link, fault: TOO_MANY }, 429);
  const payload = { email, link_id: link?.id ?? null };
  await context.store.in(realm).write((tx) => enqueue(tx, confirmationJob, payload));
  return show(request, {
    title: 'Check your email',
    lede: `We have sent a link to ${email}, unless it already has an account here. The link is valid for a day.`,
    body: below({ text: 'Back to log-in', href: '/login/' }),
  });
}

export const invitationPages: readonly Page[] = [confirmPage, registerPage, linkPage, signUpPage];
