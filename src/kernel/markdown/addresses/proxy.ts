import { createHmac } from 'node:crypto';
import type { RealmWords } from '../world.ts';

/**
 * Returns where a picture or audio file is fetched from: through the proxy if it is on another host
 * (protocol/markdown#addresses-and-safety). Relative addresses and those of the realm's host stay the same.
 */
export function proxied(address: string, realm: RealmWords | null): string {
  const proxy = realm?.mediaProxy;
  if (!proxy || !/^[a-z][a-z0-9+.-]*:/i.test(address) || isWithin(address, realm.url)) return address;
  return `${proxy.base}${mediaSignature(address, proxy.key)}/${Buffer.from(address, 'utf8').toString('hex')}`;
}

/**
 * Signs an address for the proxy, so that it fetches only addresses from messages: 40 hex digits
 * (protocol/markdown#addresses-and-safety).
 */
export function mediaSignature(address: string, key: string): string {
  return createHmac('sha1', key).update(address, 'utf8').digest('hex');
}

function isWithin(address: string, realmUrl: string): boolean {
  return address === realmUrl || ['/', '?', '#'].some((next) => address.startsWith(realmUrl + next));
}
