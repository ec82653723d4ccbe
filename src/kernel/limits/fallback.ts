import type { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { RedisLink } from '#kernel/bus';

/** The operations of a limiter. */
export type Limiter = Pick<RateLimiterMemory, 'consume' | 'get' | 'delete' | 'reward'>;

/** Counts in Redis, and in this process for as long as Redis is away. */
export function withFallback(shared: RateLimiterRedis, own: RateLimiterMemory, link: RedisLink): Limiter {
  const first = async <T>(use: (limiter: Limiter) => Promise<T>): Promise<T> => {
    if (!link.isUsable) return use(own);
    try {
      return await use(shared);
    } catch (error) {
      // The library throws its result when a limit is reached; that is not a failure.
      if (!(error instanceof Error)) throw error;
      link.lost(error);
      return use(own);
    }
  };
  return {
    consume: (key, points, options) => first((limiter) => limiter.consume(key, points, options)),
    get: (key, options) => first((limiter) => limiter.get(key, options)),
    delete: (key, options) => first((limiter) => limiter.delete(key, options)),
    reward: (key, points, options) => first((limiter) => limiter.reward(key, points, options)),
  };
}
