import type { Bus } from './bus.ts';

/** Milliseconds that Redis gets to take a connection. */
const CONNECT_MS = 5_000;

/** Throws the reason when Redis does not answer now. */
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
    // What the connection says is the cause; the command only says that there is none.
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

/** Wake-ups by Redis publish/subscribe. `prefix` keeps servers that share one Redis apart. */
export async function openRedisBus(url: string, prefix: string, onError: (error: Error) => void): Promise<Bus> {
  const { Redis } = await import('ioredis');
  const publisher = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: true });
  const subscriber = new Redis(url);
  const ears = new Map<string, (text: string) => void>();
  publisher.on('error', onError);
  subscriber.on('error', onError);
  subscriber.on('message', (channel: string, text: string) => ears.get(channel)?.(text));
  return {
    isShared: true,
    publish: (topic, text) => {
      publisher.publish(prefix + topic, text).catch(onError);
    },
    subscribe: async (topic, hear) => {
      ears.set(prefix + topic, hear);
      await subscriber.subscribe(prefix + topic);
    },
    close: async () => {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}
