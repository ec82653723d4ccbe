import { readFileSync } from 'node:fs';
import { ConfigError } from '#kernel/config';
import { firstFault } from '#kernel/schema';
import {
  type JwtKeys,
  type LdapDirectory,
  type Provider,
  type ProxySignIn,
  shapeOfFile,
  shapeOfProvider,
} from './shapes.ts';

/** The ways to sign in besides passwords. */
export interface IdentityFile {
  /** In the order of their buttons. */
  readonly providers: readonly Provider[];
  readonly proxy: ProxySignIn | undefined;
  readonly jwt: JwtKeys;
  /** By the subdomain of the organization. */
  readonly ldap: Readonly<Record<string, LdapDirectory>>;
}

/** A server with password authentication only. */
export const noIdentity: IdentityFile = { providers: [], proxy: undefined, jwt: {}, ldap: {} };

/** Reads and checks the file; throws ConfigError with all mistakes. Messages never contain values. */
export function readIdentity(path: string | undefined): IdentityFile {
  if (path === undefined) return noIdentity;
  const read = firstFault(shapeOfFile, 'the file', parse(path));
  if ('fault' in read) throw mistakes([read.fault]);
  const { providers = [], proxy, jwt = {}, ldap = {} } = read.value;
  const checked = providers.map((provider, index) => checkProvider(provider, `providers[${index}]`));
  const faults = checked.flatMap((one) => ('fault' in one ? [one.fault] : []));
  const right = checked.flatMap((one) => ('value' in one ? [one.value] : []));
  const twice = right.find(({ id }, index) => right.findIndex((other) => other.id === id) !== index);
  if (twice) faults.push(`the id ${twice.id} stands there twice`);
  faults.push(...Object.entries(ldap).flatMap(([label, directory]) => ldapFaults(`ldap["${label}"]`, directory)));
  if (faults.length > 0) throw mistakes(faults);
  return { providers: right, proxy, jwt, ldap };
}

/**
 * Returns the mistakes in a directory's configuration beyond its shape: passwords must be sent encrypted, and the
 * server must be able to search.
 */
function ldapFaults(at: string, { url, start_tls, bind_dn, bind_password, direct }: LdapDirectory): readonly string[] {
  const { protocol, hostname } = new URL(url.replace(/^ldap/, 'http'));
  const isOpen = protocol === 'http:' && start_tls !== true;
  const isNear = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return [
    ...(isOpen && !isNear ? [`${at}: ldap:// needs start_tls (but for this machine)`] : []),
    ...(protocol === 'https:' && start_tls === true ? [`${at}: start_tls is for ldap://`] : []),
    ...((bind_dn === undefined) === (bind_password === undefined) ? [] : [`${at}: bind_dn needs bind_password`]),
    ...(direct && (direct.attribute === undefined) === (direct.domain === undefined)
      ? [`${at}: direct needs attribute or domain`]
      : []),
  ];
}

function checkProvider(
  provider: { readonly kind: Provider['kind'] },
  at: string,
): { readonly value: Provider } | { readonly fault: string } {
  if (provider.kind === 'openid') return firstFault(shapeOfProvider.openid, at, provider);
  if (provider.kind === 'github') return firstFault(shapeOfProvider.github, at, provider);
  const read = firstFault(shapeOfProvider.saml, at, provider);
  if ('fault' in read) return read;
  const { private_key, certificate, sign_out_url } = read.value;
  if ((private_key === undefined) !== (certificate === undefined))
    return { fault: `${at}: private_key needs certificate` };
  // Providers do not accept unsigned log-out requests (SAML profiles, 4.4.4.1).
  const isMute = sign_out_url !== undefined && private_key === undefined;
  return isMute ? { fault: `${at}: sign_out_url needs private_key` } : read;
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // The parser's own message quotes the text, which may contain a secret.
    throw mistakes([error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read']);
  }
}

function mistakes(faults: readonly string[]): ConfigError {
  return new ConfigError(faults.map((fault) => `ROOST_SIGN_IN_FILE: ${fault}`));
}
