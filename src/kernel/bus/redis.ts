import type { Clock } from '#kernel/clock';
import type { Bus } from './bus.ts';
import { RedisLink } from './redis-link.ts';

/** Timeout for connecting, in milliseconds. */
const CONNECT_MS = 5_000;

/** Throws the reason if Redis does not answer. */
export async function pingRedis(url: string): Promise<void> {
  const { Redis } = await import('ioredis');
  const options = { lazyConnect: true, maxRetriesPerRequest: 0, connectTimeout: CONNECT_MS, retryStrategy: () => null };
  const redis = new Redis(url, options);
  let reason: unknown;
  redis.on('error', (error: unknown) => (reason ??= error));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    // The connection's error has the cause; the command's error only says that there is no connection.
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

/**
 * Sends wake-ups with Redis publish/subscribe. `prefix` separates servers that share one Redis. While Redis is
 * unreachable, wake-ups are lost and `onError` is called.
 */
export async function openRedisBus(
  url: string,
  prefix: string,
  clock: Clock,
  onError: (error: Error) => void,
): Promise<Bus> {
  const publisher = await RedisLink.open(url, clock, onError);
  const subscriber = await RedisLink.open(url, clock, onError);
  const ears = new Map<string, (text: string) => void>();
  const listen = () => {
    if (ears.size > 0) subscriber.client.subscribe(...ears.keys()).catch((error: unknown) => subscriber.lost(error));
  };
  subscriber.client.on('ready', listen);
  subscriber.client.on('message', (channel: string, text: string) => ears.get(channel)?.(text));
  return {
    isShared: true,
    get isConnected() {
      return publisher.isUsable && subscriber.isUsable;
    },
    publish: (topic, text) => {
      if (!publisher.isUsable) return;
      publisher.client.publish(prefix + topic, text).catch((error: unknown) => publisher.lost(error));
    },
    subscribe: async (topic, hear) => {
      ears.set(prefix + topic, hear);
      if (subscriber.client.status === 'ready') await subscriber.client.subscribe(prefix + topic).catch(onError);
    },
    close: async () => {
      await Promise.all([publisher.close(), subscriber.close()]);
    },
  };
}
