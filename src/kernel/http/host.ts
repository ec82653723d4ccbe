import { isIP } from 'node:net';
import { realmHostOf } from '#kernel/auth';

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
  const root = realmHostOf('', { externalUrl });
  if (host === root || host === '' || host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return '';
  for (const base of [root, 'localhost']) {
    const label = host.endsWith(`.${base}`) ? host.slice(0, -base.length - 1) : '';
    if (/^[a-z0-9-]+$/.test(label)) return label;
  }
  return undefined;
}

function hostName(header: string): string {
  return header.trim().toLowerCase().replace(/:\d+$/, '');
}
