import { createHmac } from 'node:crypto';
import type { RealmWords } from '../world.ts';

/**
 * Where a picture or sound is fetched from: through the proxy when it lies on another host
 * (protocol/markdown#addresses-and-safety). Relative addresses and those of the realm's own host stay.
 */
export function proxied(address: string, realm: RealmWords | null): string {
  const proxy = realm?.mediaProxy;
  if (!proxy || !/^[a-z][a-z0-9+.-]*:/i.test(address) || isWithin(address, realm.url)) return address;
  return `${proxy.base}${mediaSignature(address, proxy.key)}/${Buffer.from(address, 'utf8').toString('hex')}`;
}

/**
 * What shows that we have named an address to the proxy ourselves: 40 hex digits
 * (protocol/markdown#addresses-and-safety).
 */
export function mediaSignature(address: string, key: string): string {
  return createHmac('sha1', key).update(address, 'utf8').digest('hex');
}

function isWithin(address: string, realmUrl: string): boolean {
  return address === realmUrl || ['/', '?', '#'].some((next) => address.startsWith(realmUrl + next));
}
