import { createHmac } from 'node:crypto';
import type { ReadContext } from '#kernel/context';
import type { RealmId } from '#kernel/ids';
import { onceFor } from '#kernel/lists';
import type { MediaProxy } from '#kernel/markdown';

/** Address of the picture of an organization's own emoji. See protocol/markdown#emoji. */
export function emojiUrl(realmId: RealmId, fileName: string): string {
  return `/user_avatars/${realmId}/emoji/images/${fileName}`;
}

type ServerFacts = ReadContext['server'];

/**
 * The base address of the proxy for other hosts' media, and the key that signs its addresses. See
 * protocol/markdown#addresses-and-safety.
 */
export function mediaProxyOf({ server }: Pick<ReadContext, 'server'>): MediaProxy {
  return proxyOf(server);
}

/** Computed once: every message is rendered with it, and the key never changes. */
const proxyOf = onceFor(
  ({ secret }: ServerFacts): MediaProxy => ({ base: '/external_content/', key: keyFrom(secret) }),
);

function keyFrom(secret: ServerFacts['secret']): string {
  return createHmac('sha256', secret).update('media of other hosts').digest('hex');
}
