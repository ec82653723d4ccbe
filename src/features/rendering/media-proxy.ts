import { createHmac } from 'node:crypto';
import type { ReadContext } from '#kernel/context';
import type { MediaProxy } from '#kernel/markdown';

type ServerFacts = ReadContext['server'];

/**
 * Where readers get pictures and sounds of other hosts from, and the key that signs their addresses.
 * See protocol/markdown#addresses-and-safety.
 */
export function mediaProxyOf({ server }: Pick<ReadContext, 'server'>): MediaProxy {
  const known = proxies.get(server);
  if (known) return known;
  const proxy = { base: '/external_content/', key: keyFrom(server.secret) };
  proxies.set(server, proxy);
  return proxy;
}

/** Every message is rendered with it, and the key never changes. */
const proxies = new WeakMap<ServerFacts, MediaProxy>();

function keyFrom(secret: ServerFacts['secret']): string {
  return createHmac('sha256', secret).update('media of other hosts').digest('hex');
}
