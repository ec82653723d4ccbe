import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimited } from '#kernel/errors';

/** A limit: so many points in so many seconds. */
interface Rule {
  readonly points: number;
  readonly seconds: number;
}

/** The limits of contract W9, and those of expensive or guessable operations. */
export const RULES = {
  user: { points: 200, seconds: 60 },
  address: { points: 100, seconds: 60 },
  'failed-login': { points: 5, seconds: 1800 },
  'failed-login-address': { points: 30, seconds: 1800 },
  'spectator-file': { points: 1000, seconds: 86_400 },
  'password-reset': { points: 5, seconds: 3600 },
  'email-change-hour': { points: 2, seconds: 3600 },
  'email-change-day': { points: 5, seconds: 86_400 },
  'sign-up': { points: 10, seconds: 3600 },
  'organization-creation': { points: 10, seconds: 3600 },
} as const satisfies Readonly<Record<string, Rule>>;
export type LimitName = keyof typeof RULES;

/** What is left of a limit after a request. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the limit is full again. */
  readonly resetSeconds: number;
}

/** Counts requests and refuses those beyond a limit. */
export interface RateLimits {
  /** Takes a point; throws RATE_LIMIT_HIT when none is left. */
  take(name: LimitName, key: string): Promise<Allowance>;
  /** Throws when the limit has been reached, without taking a point. */
  check(name: LimitName, key: string): Promise<void>;
  /** Gives the points of a key back. */
  forgive(name: LimitName, key: string): Promise<void>;
  close(): void;
}

/** Opens the limits: in memory, or in Redis where several processes share them. */
export async function openRateLimits(redisUrl: string | undefined, enabled: boolean): Promise<RateLimits> {
  if (!enabled) return unlimited;
  const redis = redisUrl === undefined ? undefined : await connect(redisUrl);
  // The limiter falls back to memory; the room that carries wake-ups reports a Redis that is away.
  redis?.on('error', () => undefined);
  const limiters = new Map(Object.entries(RULES).map(([name, rule]) => [name, limiterFor(name, rule, redis)]));
  const limiter = (name: LimitName) => limiters.get(name) ?? limiterFor(name, RULES[name], redis);
  return {
    take: async (name, key) => {
      try {
        return allowance(RULES[name], await limiter(name).consume(key));
      } catch (rejection) {
        throw rejection instanceof RateLimiterRes ? RateLimited({ 'retry-after': secondsOf(rejection) }) : rejection;
      }
    },
    check: async (name, key) => {
      const state = await limiter(name).get(key);
      if (state && state.remainingPoints <= 0) throw RateLimited({ 'retry-after': secondsOf(state) });
    },
    forgive: async (name, key) => {
      await limiter(name).delete(key);
    },
    close: () => redis?.disconnect(),
  };
}

async function connect(url: string): Promise<Redis> {
  const { Redis } = await import('ioredis');
  return new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
}

const unlimited: RateLimits = {
  take: (name) => Promise.resolve({ limit: RULES[name].points, remaining: RULES[name].points, resetSeconds: 0 }),
  check: () => Promise.resolve(),
  forgive: () => Promise.resolve(),
  close: () => undefined,
};

function limiterFor(name: string, rule: Rule, redis: Redis | undefined): RateLimiterMemory | RateLimiterRedis {
  const options = { keyPrefix: `roost-limit-${name}`, points: rule.points, duration: rule.seconds };
  if (!redis) return new RateLimiterMemory(options);
  // While Redis is away each process counts for itself.
  return new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: new RateLimiterMemory(options) });
}

function allowance(rule: Rule, state: RateLimiterRes): Allowance {
  return { limit: rule.points, remaining: Math.max(0, state.remainingPoints), resetSeconds: secondsOf(state) };
}

function secondsOf(state: RateLimiterRes): number {
  return Math.max(0, state.msBeforeNext) / 1000;
}
