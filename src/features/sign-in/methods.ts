import type { RealmRef } from '#kernel/auth';
import type { Directory } from '#kernel/directory';
import type { Provider } from '#kernel/identity';
import type { Context } from '#kernel/context';
import type { RealmSettings } from '#features/realms';

export type SignInContext = Pick<Context, 'server' | 'identity'>;
type Chosen = Pick<RealmSettings, 'authentication_methods'>;
type Ordered = Chosen & Pick<RealmSettings, 'login_method_order'>;

/** Names of the ways to sign in, in settings and for clients. See protocol/authentication#methods. */
const METHOD_OF = { openid: 'OpenID Connect', github: 'GitHub', saml: 'SAML' } as const;
export const PROXY_METHOD = 'RemoteUser';
export const JWT_METHOD = 'JWT';
export const LDAP_METHOD = 'LDAP';
/** Names of the password form and of passkeys in `login_method_order`; other ways have the names of their buttons. */
export const PASSWORD_WAY = 'password';
export const PASSKEY_WAY = 'passkey';
/** Signing in with a passkey instead of the password. */
export const PASSKEY_METHOD = 'Passkey';

/** Ways to sign in that are on unless the organization turned them off, because the operator set them up on purpose. */
const EXTERNAL: ReadonlySet<string> = new Set([...Object.values(METHOD_OF), PROXY_METHOD, JWT_METHOD, LDAP_METHOD]);

/** Lists the ways to sign in that the server offers an organization. See protocol/authentication#methods. */
export function authenticationMethods(
  { server, identity }: SignInContext,
  realm: Pick<RealmRef, 'subdomain'>,
): readonly string[] {
  const external = providersFor(identity.providers, realm).map(({ kind }) => METHOD_OF[kind]);
  return [
    'Email',
    PASSKEY_METHOD,
    ...(server.mode === 'development' ? ['Dev'] : []),
    ...new Set(external),
    ...(identity.proxy ? [PROXY_METHOD] : []),
    ...(identity.jwt[realm.subdomain] ? [JWT_METHOD] : []),
    ...(identity.directories.has(realm.subdomain) ? [LDAP_METHOD] : []),
  ];
}

/**
 * Finds the directory with which people may log in to an organization; undefined if there is none, or it is turned off.
 */
export function directoryOf(
  { identity }: Pick<SignInContext, 'identity'>,
  realm: Pick<RealmRef, 'subdomain'>,
  settings: Chosen,
): Directory | undefined {
  return isMethodOn(settings, LDAP_METHOD) ? identity.directories.get(realm.subdomain) : undefined;
}

/** Whether people log in with a name and a password, of this server or of a directory. */
export function hasPasswords(context: Pick<SignInContext, 'identity'>, realm: RealmRef, settings: Chosen): boolean {
  return isMethodOn(settings, 'Email') || directoryOf(context, realm, settings) !== undefined;
}

/** Whether the log-in page itself lets people log in: with a password, or a passkey. */
function hasLoginForm(context: Pick<SignInContext, 'identity'>, realm: RealmRef, settings: Chosen): boolean {
  return hasPasswords(context, realm, settings) || isMethodOn(settings, PASSKEY_METHOD);
}

/** Whether a way to sign in is turned on in an organization. */
export function isMethodOn({ authentication_methods: chosen }: Chosen, name: string): boolean {
  // Passkeys follow the password setting by default: an operator who sends people to the company's own log-in must not
  // leave another way in open by mistake.
  if (name === PASSKEY_METHOD) return chosen[name] ?? chosen['Email'] ?? false;
  return chosen[name] ?? EXTERNAL.has(name);
}

/** Lists the providers that people of an organization may sign in with, in the order of their buttons. */
export function providersOf(
  context: SignInContext,
  realm: Pick<RealmRef, 'subdomain'>,
  settings: Chosen,
): readonly Provider[] {
  return providersFor(context.identity.providers, realm).filter(({ kind }) => isMethodOn(settings, METHOD_OF[kind]));
}

function providersFor(all: readonly Provider[], { subdomain }: Pick<RealmRef, 'subdomain'>): readonly Provider[] {
  return all.filter(({ organizations }) => organizations === undefined || organizations.includes(subdomain));
}

/** Path at which signing in with a provider begins. */
function providerPath({ id }: Pick<Provider, 'id'>): string {
  return `/accounts/login/social/${id}/`;
}

/** Name of the proxy's button. */
const PROXY_WAY = 'remoteuser';
/** Path at which people sign in through a proxy. */
export const PROXY_PATH = '/accounts/login/sso/';

/** Name of a provider in buttons and in the organization's order. */
function nameOf({ kind, id }: Pick<Provider, 'kind' | 'id'>): string {
  return `${kind === 'openid' ? 'oidc' : kind}:${id}`;
}

/** Names of all ways to log in that an organization can put in order, including those that are turned off. */
export function namesOfWays(
  { identity }: Pick<SignInContext, 'identity'>,
  realm: Pick<RealmRef, 'subdomain'>,
): readonly string[] {
  const providers = providersFor(identity.providers, realm).map(nameOf);
  return [PASSKEY_WAY, ...providers, ...(identity.proxy ? [PROXY_WAY] : []), PASSWORD_WAY];
}

/** Sorts ways by the order that the organization chose; ways that it does not name follow in their original order. */
export function inOrder<T>(
  { login_method_order: order }: Pick<RealmSettings, 'login_method_order'>,
  ways: readonly T[],
  name: (way: T) => string,
): readonly T[] {
  const placeOf = (way: T) => (order.includes(name(way)) ? order.indexOf(name(way)) : order.length);
  return ways.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Lists the ways to sign in that need a browser, in the order of their buttons. The last is the log-in page itself, for
 * apps of people with a second factor. See protocol/authentication#server-settings.
 */
export function externalMethods(context: SignInContext, realm: RealmRef, settings: Ordered) {
  const at = (path: string) => realm.url + path;
  const { proxy } = context.identity;
  const buttons = providersOf(context, realm, settings).map((provider) => ({
    name: nameOf(provider),
    display_name: provider.name,
    display_icon: provider.icon ?? null,
    login_url: at(providerPath(provider)),
    signup_url: at(providerPath(provider)),
  }));
  const entry = (name: string, display_name: string, path: string, signup: string) => ({
    name,
    display_name,
    display_icon: null,
    login_url: at(path),
    signup_url: at(signup),
  });
  const isByProxy = proxy !== undefined && isMethodOn(settings, PROXY_METHOD);
  const byProxy = isByProxy ? [entry(PROXY_WAY, proxy.name ?? 'Single sign-on', PROXY_PATH, PROXY_PATH)] : [];
  return [
    ...inOrder(settings, [...buttons, ...byProxy], ({ name }) => name),
    ...(hasLoginForm(context, realm, settings) ? [entry('browser', 'Browser', '/login/', '/register/')] : []),
  ];
}
