import { type BlockList, isIP } from 'node:net';
import { isIn, isPublicAddress } from './addresses.ts';
import { OutboundFault } from './outbound.ts';

/** Which hosts may be asked. */
export interface Policy {
  /** Whether only the public Internet is open: for addresses that people chose. */
  readonly isGuarded: boolean;
  /** Networks that are open all the same. */
  readonly allowed: BlockList;
  /** Whether a host name is this server's own: a request to it would come back as somebody else's. */
  isOwnHost(hostname: string): boolean;
}

/** How names become addresses. */
type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Longest address that is asked for, in characters. What servers commonly take. */
const MAX_URL_LENGTH = 8_192;
/** Below this, ports belong to other services, which people must not speak to by way of us; except the two of HTTP. */
const FIRST_FREE_PORT = 1_024;
const HTTP_PORTS = [80, 443];

/** Reads an address, alone or seen from another one. Only http and https. */
export function parseTarget(text: string, base?: URL): URL {
  const url = text.length <= MAX_URL_LENGTH && URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new OutboundFault('address');
  return url;
}

/** The port a URL leads to. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** The host of a URL without the brackets of an IPv6 address. Numbers in any guise are a dotted address here. */
export function hostnameOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Throws where the policy does not allow an address for what can be seen of it. */
export function assertTarget(url: URL, policy: Policy): void {
  if (!policy.isGuarded) return;
  const hostname = hostnameOf(url);
  if (!isHttpPort(portOf(url))) throw new OutboundFault('address');
  if (policy.isOwnHost(hostname.replace(/\.$/, ''))) throw new OutboundFault('forbidden');
  if (isIP(hostname) !== 0 && !mayDial(policy, hostname)) throw new OutboundFault('forbidden');
}

function mayDial(policy: Policy, address: string): boolean {
  return isPublicAddress(address) || isIn(policy.allowed, address);
}

/**
 * The addresses of a host, all of which the policy allows: one that it does not allow spoils the lot, because a name that
 * leads inside and outside at once is an attempt. What was resolved here is what must be dialled.
 */
export async function resolveTarget(url: URL, policy: Policy, resolve: Resolve): Promise<readonly string[]> {
  const hostname = hostnameOf(url);
  const addresses = isIP(hostname) === 0 ? await lookUp(hostname, resolve) : [hostname];
  if (addresses.length === 0) throw new OutboundFault('name');
  if (policy.isGuarded && !addresses.every((address) => mayDial(policy, address))) throw new OutboundFault('forbidden');
  return addresses;
}

async function lookUp(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(hostname);
  } catch (error) {
    throw new OutboundFault('name', error);
  }
}

function isHttpPort(port: number): boolean {
  return port >= FIRST_FREE_PORT || HTTP_PORTS.includes(port);
}
