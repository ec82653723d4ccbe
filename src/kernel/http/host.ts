import { isIP } from 'node:net';

/**
 * Returns the subdomain in a Host header: '' for the root domain, undefined for a foreign host. IP addresses and
 * `localhost` mean the root domain, so that a server can be reached before it has a name.
 */
export function subdomainOf(hostHeader: string | undefined, externalUrl: string): string | undefined {
  // Cached, because most requests have the same host as the one before.
  if (latest.hostHeader !== hostHeader || latest.externalUrl !== externalUrl)
    latest = { hostHeader, externalUrl, subdomain: findSubdomain(hostHeader, externalUrl) };
  return latest.subdomain;
}

interface Answer {
  readonly hostHeader: string | undefined;
  readonly externalUrl: string;
  readonly subdomain: string | undefined;
}

/** The last result; an empty address never matches. */
let latest: Answer = { hostHeader: undefined, externalUrl: '', subdomain: undefined };

function findSubdomain(hostHeader: string | undefined, externalUrl: string): string | undefined {
  const host = hostName(hostHeader ?? '');
  const root = rootHost(externalUrl);
  if (host === root || host === '' || host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return '';
  for (const base of [root, 'localhost']) {
    const label = host.endsWith(`.${base}`) ? host.slice(0, -base.length - 1) : '';
    if (/^[a-z0-9-]+$/.test(label)) return label;
  }
  return undefined;
}

let rootOf = { externalUrl: '', host: '' };

/** Host of the server's address; cached, because every request needs it. */
function rootHost(externalUrl: string): string {
  if (rootOf.externalUrl !== externalUrl) rootOf = { externalUrl, host: new URL(externalUrl).hostname.toLowerCase() };
  return rootOf.host;
}

function hostName(header: string): string {
  return header.trim().toLowerCase().replace(/:\d+$/, '');
}

/** Address of an organization, without a trailing slash. */
export function realmUrlOf(realm: { readonly subdomain: string }, externalUrl: string): string {
  if (realm.subdomain === '') return externalUrl;
  const url = new URL(externalUrl);
  url.hostname = `${realm.subdomain}.${url.hostname}`;
  return url.href.replace(/\/+$/, '');
}

/** Host name of an organization, as used in made-up email addresses. */
export function realmHostOf(realm: { readonly subdomain: string }, externalUrl: string): string {
  const root = rootHost(externalUrl);
  return realm.subdomain === '' ? root : `${realm.subdomain}.${root}`;
}
