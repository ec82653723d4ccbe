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
  nextLink,
  noOrganization,
  redirect,
  show,
  sideBySide,
  type Words,
  wordsFor,
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
  { value: Role.member, name: 'welcome.members' },
  { value: Role.moderator, name: 'welcome.moderators' },
  { value: Role.administrator, name: 'welcome.administrators' },
  { value: Role.guest, name: 'welcome.guests' },
] as const;

const MINUTES_A_DAY = 1440;
/** Validity of invitations in minutes; 0 for no end. */
const VALIDITIES = [
  { value: 10 * MINUTES_A_DAY, name: 'welcome.in10Days' },
  { value: MINUTES_A_DAY, name: 'welcome.inADay' },
  { value: 30 * MINUTES_A_DAY, name: 'welcome.in30Days' },
  { value: 0, name: 'welcome.never' },
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
  readonly words: Words;
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
        return showSteps(visit, { fault: faultOf(visit.words, error), sent: fields });
      }
    }),
});

/** Runs the page for administrators; everybody else is redirected to the client. */
async function asManager(request: PageRequest, run: (visit: Visit) => Promise<PageResponse>): Promise<PageResponse> {
  if (!hasRealm(request)) return noOrganization(request);
  const { realm, actor } = request;
  if (!actor) return redirect(`/login/?next=${encodeURIComponent(WELCOME_PATH)}`);
  return isAdministrator(actor) ? run({ request, realm, actor, words: wordsFor(request) }) : redirect('/');
}

async function invite({ request, actor, words }: Visit, fields: ReadonlyMap<string, string>): Promise<Outcome> {
  const offer = { ...BASE, invite_as: chosen(ROLES, fields.get('role')), ...validity(fields.get('expires')) };
  if (fields.get('by') === 'link') return { link: await createInvitationLink(request.context, actor, offer) };
  const invitee_emails = fields.get('emails') ?? '';
  await sendInvitations(request.context, actor, { ...offer, invitee_emails, notify_referrer_on_join: true });
  return { notice: words.t('welcome.sent') };
}

/** The error's message, with what is wrong with each address. */
function faultOf({ refusal }: Words, { message, extra }: ApiError): string {
  const errors: unknown = extra['errors'];
  const each = Array.isArray(errors)
    ? errors.flatMap((one: unknown) => (Array.isArray(one) ? [`${String(one[0])}: ${refusal(String(one[1]))}`] : []))
    : [];
  return [refusal(message), ...each.slice(0, MAX_REASONS)].join(' ');
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
  readonly name: (typeof ROLES | typeof VALIDITIES)[number]['name'];
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
  const { request, realm, actor, words } = visit;
  const { t, language } = words;
  return show(request, {
    language,
    title: t('welcome.ready', { name: realm.name }),
    lede: t('welcome.lede'),
    wide: true,
    status: outcome.fault === undefined ? 200 : 400,
    fault: outcome.fault,
    notice: outcome.notice,
    body: html`${nextLink(t('guide.openClient'), '/')}
<h2>${t('welcome.invite')}</h2>
${byLink(visit, outcome)}
<div class="or">${t('common.or')}</div>
${byMail(visit, outcome)}
<h2>${t('welcome.connect')}</h2>
${await addressCard(words, realm.url)}
<p><a href="${APPS_PATH}">${t('welcome.connectHow')}</a></p>
<h2>${t('welcome.yours')}</h2>
<ul class="todo-list">${SETTINGS.map(({ href, title, text }) => todo(href, t(title), t(text)))}</ul>
${isOwner(actor) && forOperators(visit)}
${below({ text: t('help.title'), href: HELP_PATH }, { text: t('guide.api'), href: '/api/' })}`,
  });
}

const SETTINGS = [
  { href: '/#settings/profile', title: 'welcome.profile', text: 'welcome.profileText' },
  { href: '/#channels/new', title: 'welcome.channels', text: 'welcome.channelsText' },
  {
    href: '/#organization/organization-profile',
    title: 'welcome.organization',
    text: 'welcome.organizationText',
  },
] as const;

function todo(href: string, title: string, text: string): Html {
  return html`<li><a href="${href}"><span class="grow"><b>${title}</b><small>${text}</small></span>${icon('right')}</a></li>`;
}

function byLink(visit: Visit, { link, sent }: Outcome): Html {
  const { t } = visit.words;
  const made =
    link !== undefined &&
    html`<div class="field"><label for="made">${t('welcome.link')}</label><input class="input mono" id="made" readonly value="${link}" dir="ltr"><span class="hint" role="status">${t('welcome.linkHint')}</span></div>`;
  const again = sent?.get('by') === 'link' ? sent : undefined;
  const fields = html`${hidden('by', 'link')}${terms(visit.words, 'link', again)}`;
  const text = link === undefined ? t('welcome.makeLink') : t('welcome.makeAnother');
  return html`${made}${form(visit.request, WELCOME_PATH, fields, { text, isPlain: true })}`;
}

function byMail({ request, words }: Visit, { sent }: Outcome): Html {
  const { t } = words;
  const again = sent?.get('by') === 'mail' ? sent : undefined;
  const { sendsMail } = request.context.server;
  const hint = sendsMail ? t('welcome.emailsHint') : `${t('welcome.emailsHint')} ${t('welcome.toFolder')}`;
  const fields = html`${hidden('by', 'mail')}
<div class="field"><label for="emails">${t('welcome.emails')}</label>
<textarea class="input" id="emails" name="emails" rows="3" required dir="ltr" aria-describedby="emails-hint">${again?.get('emails') ?? ''}</textarea>
<span class="hint" id="emails-hint">${hint}</span></div>
${terms(words, 'mail', again)}`;
  return form(request, WELCOME_PATH, fields, { text: t('welcome.send'), isPlain: true });
}

function terms({ t }: Words, id: string, sent: ReadonlyMap<string, string> | undefined): Html {
  const named = (choices: readonly Choice[]) => choices.map(({ value, name }) => ({ value, name: t(name) }));
  return sideBySide(
    choice(t('welcome.role'), { id: `${id}-role`, name: 'role', choices: named(ROLES) }, sent),
    choice(t('welcome.expires'), { id: `${id}-expires`, name: 'expires', choices: named(VALIDITIES) }, sent),
  );
}

/** A list to choose from: its ID on the page, its name in the form, and what there is. */
interface Choosing {
  readonly id: string;
  readonly name: string;
  readonly choices: readonly { readonly value: number; readonly name: string }[];
}

function choice(label: string, { id, name, choices }: Choosing, sent: ReadonlyMap<string, string> | undefined): Html {
  const options = choices.map(
    (one) =>
      html`<option value="${one.value}"${sent?.get(name) === String(one.value) && html` selected`}>${one.name}</option>`,
  );
  return html`<div class="field"><label for="${id}">${label}</label><span class="select"><select class="input" id="${id}" name="${name}">${options}</select></span></div>`;
}

/** Hints for the operator, as far as the server can tell. */
function forOperators({ request, words: { t } }: Visit): Html {
  const { externalUrl: url, sendsMail } = request.context.server;
  const isEncrypted = url.startsWith('https:');
  return html`<h2>${t('welcome.operator')}</h2>
<ul class="facts">
${fact(isEncrypted, t(isEncrypted ? 'welcome.encrypted' : 'welcome.notEncrypted', { url }))}
${fact(sendsMail, t(sendsMail ? 'welcome.mail' : 'welcome.noMail'))}
${fact(undefined, t('welcome.backups'))}
${fact(undefined, t('welcome.doctor'))}
</ul>`;
}

/** A line of the list; `isGood` is undefined if the server cannot tell. */
function fact(isGood: boolean | undefined, text: string): Html {
  if (isGood === undefined) return html`<li>${icon('right')}<span>${text}</span></li>`;
  return isGood
    ? html`<li class="good">${icon('check')}<span>${text}</span></li>`
    : html`<li class="wrong">${icon('alert')}<span>${text}</span></li>`;
}
