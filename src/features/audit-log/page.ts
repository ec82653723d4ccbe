import {
  below,
  field,
  formPage,
  nextLink,
  noOrganization,
  redirect,
  show,
  sideBySide,
  type Words,
  wordsFor,
} from '#features/pages';
import { findUserByEmail, findUsers, type UserRow } from '#features/users';
import { type AuditFilter, type AuditRow, listEntriesBefore } from '#kernel/audit';
import { SECONDS_PER_DAY } from '#kernel/clock';
import { hasRealm, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { asId, type UserId } from '#kernel/ids';
import { isOwner } from '#kernel/permissions';

const PATH = '/accounts/audit-log/';
/** Entries on a page. */
const PAGE = 50;
/** Longest query parameter that is used, in characters; longer ones are cut. */
const MAX_TEXT = 200;

/** The page on which owners read the audit log. Others get a 403. See protocol/organizations#audit-log. */
export const auditLogPage = formPage({
  path: PATH,
  show: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { realm, actor, sessionToken, headers } = request;
    const isBySession = actor !== null && sessionToken !== undefined && headers.authorization === undefined;
    if (!isBySession) return redirect(`/login/?next=${encodeURIComponent(PATH)}`);
    return isOwner(actor) ? showLog(request, realm.id) : refuse(request, realm.name);
  },
  submit: () => Promise.resolve(redirect(PATH)),
});

function refuse(request: PageRequest, name: string): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('audit.refused'),
    status: 403,
    lede: t('audit.refusedLede', { name }),
    body: nextLink(t('common.open', { name }), '/'),
  });
}

/** The filters in the page's query string. */
interface Asked {
  readonly action: string;
  readonly by: string;
  readonly to: string;
  readonly day: string;
}

async function showLog(request: PageRequest, realmId: UserRow['realm_id']): Promise<PageResponse> {
  const query = (name: string) => (request.url.searchParams.get(name) ?? '').trim().slice(0, MAX_TEXT);
  const asked: Asked = { action: query('action'), by: query('by'), to: query('to'), day: query('day') };
  const before = /^\d{1,15}$/.test(query('before')) ? Number(query('before')) : Number.MAX_SAFE_INTEGER;
  const { rows, people } = await request.context.store.of(realmId).query(async (tx) => {
    const find = async (email: string) => (email === '' ? undefined : await findUserByEmail(tx, email));
    const [by, to] = [await find(asked.by), await find(asked.to)];
    const isNobody = (asked.by !== '' && !by) || (asked.to !== '' && !to);
    const filter = { ...filterOf(asked), actorId: by?.id, targetUserId: to?.id };
    const found = isNobody ? [] : await listEntriesBefore(tx, filter, before, PAGE + 1);
    return { rows: found, people: await findUsers(tx, [...new Set(found.flatMap(peopleIn))]) };
  });
  const words = wordsFor(request);
  const { t, language } = words;
  return show(request, {
    language,
    title: t('audit.title'),
    lede: t('audit.lede'),
    wide: true,
    body: html`${filters(words, asked)}<ul class="sessions entries">${rows.slice(0, PAGE).map((row) => entry(words, row, people))}</ul>
${rows.length === 0 && html`<p>${t('audit.none')}</p>`}
${rows.length > PAGE && html`<p><a href="${older(asked, rows[PAGE - 1]?.sequence ?? 0)}">${t('audit.older')}</a></p>`}
${below({ text: t('common.start'), href: '/' })}`,
  });
}

function filterOf({ action, day }: Asked): AuditFilter {
  const since = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) / 1000 : Number.NaN;
  return {
    ...(action !== '' && { action }),
    ...(Number.isFinite(since) && { since, until: since + SECONDS_PER_DAY }),
  };
}

/**
 * A form with the method GET: the filters appear in the address, it needs no CSRF token, and all fields are optional.
 */
function filters({ t }: Words, { action, by, to, day }: Asked): Html {
  const free = { autocomplete: 'off', maxLength: MAX_TEXT, isOptional: true };
  return html`<form method="get" action="${PATH}">
${sideBySide(field(t('audit.action'), 'action', { ...free, value: action, hint: t('audit.actionHint') }), field(t('audit.day'), 'day', { ...free, type: 'date', value: day }))}
${sideBySide(field(t('audit.by'), 'by', { ...free, value: by }), field(t('audit.to'), 'to', { ...free, value: to }))}
<button class="btn">${t('audit.filter')}</button></form>`;
}

function older(asked: Asked, before: number): string {
  const kept = Object.entries({ ...asked, before: String(before) }).filter(([, value]) => value !== '');
  return `${PATH}?${new URLSearchParams(kept).toString()}`;
}

function peopleIn({ actor_id, target_kind, target_id }: AuditRow): readonly UserId[] {
  const ids = [actor_id, target_kind === 'user' ? target_id : null];
  return ids.flatMap((id) => (id === null ? [] : [asId<UserId>(id)]));
}

function entry(words: Words, row: AuditRow, people: ReadonlyMap<UserId, UserRow>): Html {
  const { sequence, created_at, action, via, address, user_agent, said_before, said_after } = row;
  const { t } = words;
  const iso = new Date(created_at * 1000).toISOString();
  const from = [via, address, user_agent].filter((text) => text !== '').join(' · ');
  return html`<li><strong dir="auto">${action}</strong> <span dir="auto">${targetName(row, people)}</span>
<small>#${sequence} <time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time> <span dir="auto">${t('audit.byWhom', { name: actorName(words, row, people) })}</span><br>${from}
${said_before !== null && html`<br>${t('audit.before')} <code dir="auto">${said_before}</code>`}${said_after !== null && html`<br>${t('audit.after')} <code dir="auto">${said_after}</code>`}</small></li>`;
}

function actorName({ t }: Words, { actor_kind, actor_id }: AuditRow, people: ReadonlyMap<UserId, UserRow>): string {
  if (actor_id === null)
    return t(actor_kind === 'nobody' ? 'audit.nobody' : actor_kind === 'command' ? 'audit.command' : 'audit.server');
  return people.get(actor_id)?.full_name ?? t('audit.account', { id: actor_id });
}

function targetName({ target_kind, target_id, target_name }: AuditRow, people: ReadonlyMap<UserId, UserRow>): string {
  const isKnown = target_kind === 'user' && target_id !== null;
  const known = isKnown ? people.get(asId<UserId>(target_id))?.full_name : undefined;
  return known ?? target_name ?? (target_id === null ? '' : `${target_kind} ${target_id}`);
}
