import { below, form, formPage, noOrganization, redirect, show, wordsFor } from '#features/pages';
import { endSession, unseal } from '#features/sign-in';
import { findSession, type SessionRow } from '#kernel/auth';
import { hasRealm, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { firstFault, maybe, object, str } from '#kernel/schema';
import { carrier, headersFor } from './refusals.ts';
import { clientOf } from './pages.ts';
import { TOKEN_PURPOSE } from './provided.ts';
import { logsOut, type Outgoing, signOut } from './saml/index.ts';
import { ProviderFault } from './vouched.ts';

const LOGIN = '/login/';

/** Ends this browser's session, and shows how to end the session at the provider if it began with one. */
export const logoutPage = formPage({
  path: '/logout/',
  show: (request) => Promise.resolve(showQuestion(request)),
  submit: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { realm, context, sessionToken: token } = request;
    const session =
      token === undefined ? undefined : await context.store.in(realm).query((tx) => findSession(tx, token));
    const cookie = await endSession(request);
    const elsewhere = session && (await wayOutOf(request, session));
    return elsewhere ? showElsewhere(request, elsewhere, cookie) : redirect(LOGIN, [cookie]);
  },
});

function showQuestion(request: PageRequest): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('logOut.title'),
    lede: t('logOut.lede'),
    body: html`${form(request, '/logout/', html``, t('logOut.title'))}${below({ text: t('logOut.stay'), href: '/' })}`,
  });
}

/** A provider at which somebody is still logged in, and how to log out there. */
interface Elsewhere {
  readonly name: string;
  readonly way: Outgoing;
}

/**
 * Shows a link or a button instead of redirecting, because browsers apply the page's `form-action` policy to redirects,
 * and people who share the browser should decide. See protocol/authentication#logging-out.
 */
function showElsewhere(request: PageRequest, { name, way }: Elsewhere, cookie: string): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('logOut.done'),
    lede: t('logOut.elsewhere', { name }),
    headers: { ...headersFor(way), 'set-cookie': cookie },
    body: html`${carrier(way, t('logOut.there', { name }))}${below({ text: t('common.backToLogIn'), href: LOGIN })}`,
  });
}

/** A SAML provider's stored name for somebody. */
const nameThere = object({
  nameID: str(),
  nameIDFormat: str(),
  nameQualifier: maybe(str()),
  spNameQualifier: maybe(str()),
});

async function wayOutOf(
  request: RealmRequest,
  { provider_id, provider_session, provider_token }: SessionRow,
): Promise<Elsewhere | undefined> {
  const { context, realm } = request;
  const provider = context.identity.providers.find(({ id }) => id === provider_id);
  if (!provider || provider.kind === 'github') return undefined;
  const hint = firstFault(str(), 'token', await unseal(context, TOKEN_PURPOSE, provider_token ?? undefined));
  if (provider.kind === 'saml') {
    const name = 'value' in hint ? firstFault(nameThere, 'token', JSON.parse(hint.value)) : hint;
    if ('fault' in name || !logsOut(provider)) return undefined;
    const known = { ...name.value, sessionIndex: provider_session ?? undefined };
    return { name: provider.name, way: await signOut(request, provider, known) };
  }
  try {
    const back = `${realm.url}${LOGIN}`;
    const url = await clientOf(context).signOutUrl(provider, back, 'value' in hint ? hint.value : undefined);
    return url === undefined ? undefined : { name: provider.name, way: { by: 'address', url } };
  } catch (error) {
    // Logging out here succeeds even if the provider cannot be asked.
    if (error instanceof ProviderFault) return undefined;
    throw error;
  }
}
