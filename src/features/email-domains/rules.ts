import type { WireDomain } from './wire.ts';

/** Longest name of a domain (RFC 1035), in characters. */
const MAX_DOMAIN = 255;

/** Returns the error for a domain, which is in lower case and trimmed. See protocol/organizations#domains. */
export function domainFault(domain: string): string | undefined {
  if (domain === '') return "Domain can't be empty.";
  if (domain.length > MAX_DOMAIN) return 'Domain is too long.';
  if (!domain.includes('.')) return 'Domain must have at least one dot (.)';
  if (domain.startsWith('.') || domain.endsWith('.')) return 'Domain cannot start or end with a dot (.)';
  if (domain.split('.').some((label) => label === '')) return "Consecutive '.' are not allowed.";
  if (domain.split('.').some((label) => label.startsWith('-') || label.endsWith('-')))
    return "Subdomains cannot start or end with a '-'.";
  if (!/^[a-z0-9.-]+$/.test(domain)) return "Domain can only have letters, numbers, '.' and '-'s.";
  return undefined;
}

/**
 * Whether a domain (in lower case) is in the list, or a subdomain of one that allows these. See
 * protocol/invitations#addresses.
 */
export function isListed(domains: readonly WireDomain[], domain: string): boolean {
  return domains.some((one) => one.domain === domain || (one.allow_subdomains && domain.endsWith(`.${one.domain}`)));
}
