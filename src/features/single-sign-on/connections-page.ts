import { below, form, formPage, hidden, nextLink, noOrganization, redirect, show, wordsFor } from '#features/pages';
import { readRealm, settingsOf } from '#features/realms';
import {
  confirmFirst,
  deleteIdentity,
  isLockOut,
  keepingOwnersIn,
  listIdentities,
  providersOf,
} from '#features/sign-in';
import type { Actor } from '#kernel/auth';
import { hasRealm, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { html } from '#kernel/html';
import type { Context } from '#kernel/context';
import type { Provider } from '#kernel/identity';
import { begin } from './pages.ts';

const CONNECTIONS = '/accounts/connections/';

/** Page on which somebody who is signed in connects their account to providers, and disconnects it. */
const connectionsPage = formPage({
  path: CONNECTIONS,
  show: (asked) => withPerson(asked, (request, actor) => showConnections(request, actor)),
  submit: (asked, fields) =>
    withPerson(asked, async (request, actor) => {
      const { context } = request;
      const first = confirmFirst(request, CONNECTIONS);
      if (first) return first;
      const ended = fields.get('disconnect') ?? '';
      if (/^\d{1,15}$/.test(ended)) {
        const fault = await disconnect(context, actor, Number(ended));
        return fault === undefined ? redirect(CONNECTIONS) : showConnections(request, actor, fault);
      }
      const provider = (await offered(request)).find(({ id }) => id === fields.get('connect'));
      return provider ? goOn(request, actor, provider) : redirect(CONNECTIONS);
    }),
});

/**
 * Shows a link instead of redirecting, because browsers apply the page's `form-action` policy to redirects. Only this
 * server's own form begins this, or another site could connect its own identity to this account.
 */
async function goOn(request: RealmRequest, actor: Actor, provider: Provider): Promise<PageResponse> {
  const begun = await begin(request, provider, { next: undefined, pad: undefined, connect: actor.userId });
  if ('refusal' in begun) return begun.refusal;
  const { t, language } = wordsFor(request);
  const { name } = provider;
  return show(request, {
    language,
    title: t('connections.title', { name }),
    lede: t('connections.there', { name }),
    headers: { 'set-cookie': begun.cookie },
    body: html`${nextLink(t('connections.go', { name }), begun.location)}${below({ text: t('account.back'), href: CONNECTIONS })}`,
  });
}

/** Requires a session of this browser: an API key opens no page that changes the ways into its account. */
async function withPerson(
  request: PageRequest,
  run: (request: RealmRequest, actor: Actor) => Promise<PageResponse>,
): Promise<PageResponse> {
  if (!hasRealm(request)) return noOrganization(request);
  const { actor, sessionToken, headers } = request;
  const isBySession = sessionToken !== undefined && headers.authorization === undefined;
  if (!actor || actor.isBot || !isBySession) return redirect(`/login/?next=${encodeURIComponent(CONNECTIONS)}`);
  return run(request, actor);
}

async function offered({ context, realm }: RealmRequest): Promise<readonly Provider[]> {
  return providersOf(context, realm, settingsOf(await context.store.in(realm).query((tx) => readRealm(tx))));
}

/** Disconnects an identity, unless it is the last way in; returns what is wrong. */
async function disconnect(context: Context, actor: Actor, id: number): Promise<string | undefined> {
  try {
    await context.store
      .as(actor)
      .write((tx) => keepingOwnersIn(context, tx, actor, () => deleteIdentity(tx, actor.userId, id)));
    return undefined;
  } catch (error) {
    if (isLockOut(error)) return error.message;
    throw error;
  }
}

async function showConnections(request: RealmRequest, actor: Actor, fault?: string): Promise<PageResponse> {
  const { context } = request;
  const linked = await context.store.as(actor).query((tx) => listIdentities(tx, actor.userId));
  const providers = await offered(request);
  const nameOf = (id: string) => context.identity.providers.find((provider) => provider.id === id)?.name ?? id;
  const free = providers.filter(({ id }) => !linked.some(({ provider }) => provider === id));
  const { t, language, refusal } = wordsFor(request);
  return show(request, {
    language,
    title: t('sessions.connections'),
    lede: t('connections.lede'),
    fault: refusal(fault),
    status: fault === undefined ? 200 : 400,
    notice: request.url.searchParams.has('connected') ? t('connections.connected') : undefined,
    wide: true,
    body: html`<ul class="sessions">
${linked.map(
  ({ id, provider }) => html`<li><strong>${nameOf(provider)}</strong>
${form(request, CONNECTIONS, hidden('disconnect', String(id)), { text: t('connections.disconnect'), spoken: t('connections.disconnectOne', { name: nameOf(provider) }) })}</li>`,
)}
${free.map(
  ({ id, name }) => html`<li><strong>${name}</strong>
${form(request, CONNECTIONS, hidden('connect', id), { text: t('connections.connect'), spoken: t('connections.connectOne', { name }) })}</li>`,
)}
</ul>
${linked.length + free.length === 0 && html`<p>${t('connections.none')}</p>`}
${below({ text: t('common.start'), href: '/' }, { text: t('sessions.title'), href: '/accounts/sessions/' })}`,
  });
}

export const connectionPages = [connectionsPage];
