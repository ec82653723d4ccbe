import { createInvitationLink, sendInvitations } from '#features/invitations';
import {
  addressCard,
  APPS_PATH,
  below,
  form,
  formPage,
  HELP_PATH,
  hidden,
  icon,
  noOrganization,
  redirect,
  show,
  sideBySide,
  nextLink,
} from '#features/pages';
import type { Actor, RealmRef } from '#kernel/auth';
import { hasRealm, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { ApiError } from '#kernel/errors';
import { type Html, html } from '#kernel/html';
import { isAdministrator, isOwner, Role } from '#kernel/permissions';

/** Path of the first steps of a new organization; it stays available later. */
export const WELCOME_PATH = '/welcome/';

/**
 * Roles for people who join, the usual one first, the weakest last. Owners can be made only in the client, so that
 * nobody does it by accident.
 */
const ROLES = [
  { value: Role.member, name: 'Members' },
  { value: Role.moderator, name: 'Moderators' },
  { value: Role.administrator, name: 'Administrators' },
  { value: Role.guest, name: 'Guests' },
] as const;

const MINUTES_A_DAY = 1440;
/** Validity of invitations in minutes; 0 for no end. */
const VALIDITIES = [
  { value: 10 * MINUTES_A_DAY, name: 'in 10 days' },
  { value: MINUTES_A_DAY, name: 'in a day' },
  { value: 30 * MINUTES_A_DAY, name: 'in 30 days' },
  { value: 0, name: 'never' },
] as const;

/** The result that the page shows after a form was sent. */
interface Outcome {
  readonly link?: string;
  readonly notice?: string;
  readonly fault?: string;
  readonly sent?: ReadonlyMap<string, string>;
}

interface Visit {
  readonly request: PageRequest;
  readonly realm: RealmRef;
  readonly actor: Actor;
}

/** The page with first steps for administrators. See protocol/organizations#first-day. */
export const welcomePage = formPage({
  path: WELCOME_PATH,
  show: (request) => asManager(request, (visit) => showSteps(visit, {})),
  submit: (request, fields) =>
    asManager(request, async (visit) => {
      try {
        return await showSteps(visit, await invite(visit, fields));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return showSteps(visit, { fault: faultOf(error), sent: fields });
      }
    }),
});

/** Runs the page for administrators; everybody else is redirected to the client. */
async function asManager(request: PageRequest, run: (visit: Visit) => Promise<PageResponse>): Promise<PageResponse> {
  if (!hasRealm(request)) return noOrganization(request);
  const { realm, actor } = request;
  if (!actor) return redirect(`/login/?next=${encodeURIComponent(WELCOME_PATH)}`);
  return isAdministrator(actor) ? run({ request, realm, actor }) : redirect('/');
}

async function invite({ request, actor }: Visit, fields: ReadonlyMap<string, string>): Promise<Outcome> {
  const offer = { ...BASE, invite_as: chosen(ROLES, fields.get('role')), ...validity(fields.get('expires')) };
  if (fields.get('by') === 'link') return { link: await createInvitationLink(request.context, actor, offer) };
  const invitee_emails = fields.get('emails') ?? '';
  await sendInvitations(request.context, actor, { ...offer, invitee_emails, notify_referrer_on_join: true });
  return { notice: 'The invitations were sent.' };
}

/** The error's message, with what is wrong with each address. */
function faultOf({ message, extra }: ApiError): string {
  const errors: unknown = extra['errors'];
  const each = Array.isArray(errors)
    ? errors.flatMap((one: unknown) => (Array.isArray(one) ? [`${String(one[0])}: ${String(one[1])}`] : []))
    : [];
  return [message, ...each.slice(0, MAX_REASONS)].join(' ');
}

/** Most addresses whose errors are listed. */
const MAX_REASONS = 10;

/** What every invited person gets: the default channels. */
const BASE = {
  include_realm_default_subscriptions: true,
  stream_ids: [],
  group_ids: [],
  welcome_message_custom_text: null,
} as const;

interface Choice {
  readonly value: number;
  readonly name: string;
}

/** The choice that was sent; the first one if it is not valid. */
function chosen(choices: readonly [Choice, ...Choice[]], sent: string | undefined): number {
  return (choices.find(({ value }) => String(value) === sent) ?? choices[0]).value;
}

function validity(sent: string | undefined): { invite_expires_in_minutes: number | null } {
  const minutes = chosen(VALIDITIES, sent);
  return { invite_expires_in_minutes: minutes === 0 ? null : minutes };
}

async function showSteps(visit: Visit, outcome: Outcome): Promise<PageResponse> {
  const { request, realm, actor } = visit;
  return show(request, {
    title: `${realm.name} is ready`,
    lede: 'Three things help at the beginning. You can do them later: this page stays available.',
    wide: true,
    status: outcome.fault === undefined ? 200 : 400,
    fault: outcome.fault,
    notice: outcome.notice,
    body: html`${nextLink('Open the client', '/')}
<h2>1. Invite your colleagues</h2>
${byLink(visit, outcome)}
<div class="or">or</div>
${byMail(visit, outcome)}
<h2>2. Connect a phone or a terminal</h2>
${await addressCard(realm.url)}
<p><a href="${APPS_PATH}">How to connect each app</a></p>
<h2>3. Make it yours</h2>
<ul class="todo-list">${SETTINGS.map(({ href, title, text }) => todo(href, title, text))}</ul>
${isOwner(actor) && forOperators(request)}
${below({ text: 'Getting started', href: HELP_PATH }, { text: 'The API', href: '/api/' })}`,
  });
}

const SETTINGS = [
  { href: '/#settings/profile', title: 'Your name, picture and time zone', text: 'What colleagues see of you' },
  { href: '/#channels/new', title: 'A channel for each team or project', text: 'Topics do the rest' },
  {
    href: '/#organization/organization-profile',
    title: 'Description and pictures of the organization',
    text: 'Shown where people log in, and in every client',
  },
] as const;

function todo(href: string, title: string, text: string): Html {
  return html`<li><a href="${href}"><span class="grow"><b>${title}</b><small>${text}</small></span>${icon('right')}</a></li>`;
}

function byLink({ request }: Visit, { link, sent }: Outcome): Html {
  const made =
    link !== undefined &&
    html`<div class="field"><label for="made">Link to share</label><input class="input mono" id="made" readonly value="${link}" dir="ltr"><span class="hint" role="status">Anybody who has it can join until it expires. You can revoke it in the client, under Organization, Invitations.</span></div>`;
  const again = sent?.get('by') === 'link' ? sent : undefined;
  const fields = html`${hidden('by', 'link')}${terms('link', again)}`;
  return html`${made}${form(
    request,
    WELCOME_PATH,
    fields,
    link === undefined ? 'Create a link' : 'Create another link',
    {
      isPlain: true,
    },
  )}`;
}

function byMail({ request }: Visit, { sent }: Outcome): Html {
  const again = sent?.get('by') === 'mail' ? sent : undefined;
  const hint = request.context.server.sendsMail
    ? 'Separated by commas or new lines.'
    : 'Separated by commas or new lines. This server has no mail server yet and writes mails to a folder: better share a link.';
  const fields = html`${hidden('by', 'mail')}
<div class="field"><label for="emails">Email addresses</label>
<textarea class="input" id="emails" name="emails" rows="3" required dir="ltr" aria-describedby="emails-hint">${again?.get('emails') ?? ''}</textarea>
<span class="hint" id="emails-hint">${hint}</span></div>
${terms('mail', again)}`;
  return form(request, WELCOME_PATH, fields, 'Send the invitations', { isPlain: true });
}

function terms(id: string, sent: ReadonlyMap<string, string> | undefined): Html {
  return sideBySide(
    choice(`${id}-role`, 'role', 'They join as', ROLES, sent),
    choice(`${id}-expires`, 'expires', 'The invitation expires', VALIDITIES, sent),
  );
}

function choice(
  id: string,
  name: string,
  label: string,
  choices: readonly Choice[],
  sent: ReadonlyMap<string, string> | undefined,
): Html {
  const options = choices.map(
    (one) =>
      html`<option value="${one.value}"${sent?.get(name) === String(one.value) && html` selected`}>${one.name}</option>`,
  );
  return html`<div class="field"><label for="${id}">${label}</label><span class="select"><select class="input" id="${id}" name="${name}">${options}</select></span></div>`;
}

/** Hints for the operator, as far as the server can tell. */
function forOperators({ context }: PageRequest): Html {
  const { externalUrl, sendsMail } = context.server;
  const isEncrypted = externalUrl.startsWith('https:');
  return html`<h2>For the operator of this server</h2>
<ul class="facts">
${fact(isEncrypted, isEncrypted ? `People reach it at ${externalUrl}, encrypted.` : `Its address is ${externalUrl}, not encrypted. Put a proxy with a certificate in front and set ROOST_EXTERNAL_URL.`)}
${fact(sendsMail, sendsMail ? 'A mail server is configured. Try it with roost mail test ADDRESS.' : 'No mail server is configured. Set ROOST_SMTP_URL.')}
${fact(undefined, 'Make backups with roost backup FOLDER, and practise roost restore once.')}
${fact(undefined, 'roost doctor finds other problems.')}
</ul>`;
}

/** A line of the list; `isGood` is undefined if the server cannot tell. */
function fact(isGood: boolean | undefined, text: string): Html {
  if (isGood === undefined) return html`<li>${icon('right')}<span>${text}</span></li>`;
  return isGood
    ? html`<li class="good">${icon('check')}<span>${text}</span></li>`
    : html`<li class="wrong">${icon('alert')}<span>${text}</span></li>`;
}
