import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { RedisLink } from '#kernel/bus';
import { type Clock, SECONDS_PER_DAY } from '#kernel/clock';
import { RateLimited } from '#kernel/errors';
import { type Limiter, withFallback } from './fallback.ts';

/** A limit: so many points in so many seconds. */
interface Rule {
  readonly points: number;
  readonly seconds: number;
}

/** The limits of protocol/wire#rate-limits, and those of expensive or guessable operations. */
export const RULES = {
  user: { points: 200, seconds: 60 },
  address: { points: 100, seconds: 60 },
  /** Wrong passwords for one account from one network. */
  'failed-login': { points: 5, seconds: 1800 },
  'failed-login-address': { points: 30, seconds: 1800 },
  /** Wrong passwords for one account from all networks together that it was not used from. */
  'failed-login-account': { points: 100, seconds: SECONDS_PER_DAY },
  /** Old passwords that were wrong when a new one was to be set. */
  'old-password': { points: 5, seconds: 1800 },
  /** Not a limit: remembers for as long as a session lives from which networks an account was used. */
  'known-network': { points: 1_000_000, seconds: 14 * SECONDS_PER_DAY },
  /** Wrong keys in links: of invitations, confirmations, new passwords. */
  'wrong-link': { points: 60, seconds: 1800 },
  /** Failed log-ins with unknown names that the audit log of an organization records: an attacker has any number of networks. */
  'refused-entries': { points: 300, seconds: 3600 },
  /** Codes of a second factor that were wrong, for one account from anywhere. */
  'second-factor': { points: 5, seconds: 1800 },
  /** Steps of signing in at a provider, of a network: companies come from one address. */
  'external-sign-in': { points: 300, seconds: 600 },
  /** Archives of all that the server has of somebody, for that person. */
  'personal-data': { points: 5, seconds: 3600 },
  /** Requests by a token of a directory that manages accounts. */
  'directory-token': { points: 60_000, seconds: 60 },
  /** Mails that come in for one address, and from one sender. */
  'mail-in-address': { points: 60, seconds: 3600 },
  'mail-in-sender': { points: 200, seconds: 3600 },
  /** Accounts at a push gateway that a network may open, and phones that servers of a network may add. */
  'gateway-account': { points: 20, seconds: SECONDS_PER_DAY },
  'gateway-phone': { points: 200_000, seconds: SECONDS_PER_DAY },
  'spectator-file': { points: 1000, seconds: SECONDS_PER_DAY },
  'password-reset': { points: 5, seconds: 3600 },
  'password-reset-address': { points: 5, seconds: 3600 },
  'email-change-hour': { points: 2, seconds: 3600 },
  'email-change-day': { points: 5, seconds: SECONDS_PER_DAY },
  /** Bots that somebody who is no administrator makes: everybody who registers gets all of them. */
  'new-bot': { points: 100, seconds: SECONDS_PER_DAY },
  /** Reports of messages by one person, which are messages in the moderators' channel. */
  'message-report': { points: 60, seconds: 3600 },
  /** HTML of large messages that an account sends or edits, in KiB. See protocol/wire#rate-limits. */
  'large-html': { points: 8192, seconds: 60 },
  /** Direct messages to many people: thousands of pairs of them, for each receives the list of all. */
  'crowd-message': { points: 5000, seconds: 60 },
  'sign-up': { points: 10, seconds: 3600 },
  'sign-up-address': { points: 10, seconds: 3600 },
} as const satisfies Readonly<Record<string, Rule>>;
export type LimitName = keyof typeof RULES;

/** Seconds after which Redis drops the key by which it is tested for being writable. */
const PROBE_SECONDS = 60;

/** The state of a limit after a request. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until all points are available again. */
  readonly resetSeconds: number;
}

/** Counts requests and refuses those beyond a limit. */
export interface RateLimits {
  /** Takes a point, or `points`; throws RATE_LIMIT_HIT when fewer are left. */
  take(name: LimitName, key: string, points?: number): Promise<Allowance>;
  /** Throws when the limit has been reached, without taking a point. */
  check(name: LimitName, key: string): Promise<void>;
  /** Whether a key has used points that have not been restored yet. */
  has(name: LimitName, key: string): Promise<boolean>;
  /** Restores one point of a key: the attempt that used it did not count. */
  giveBack(name: LimitName, key: string): Promise<void>;
  /** Restores all points of a key. */
  forgive(name: LimitName, key: string): Promise<void>;
  /** False while processes that should share the limits count separately. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

/** Where requests are counted. */
interface LimitOptions {
  /** Redis, where several processes share the limits; else they are in memory. */
  readonly redisUrl: string | undefined;
  readonly enabled: boolean;
  readonly clock: Clock;
}

/** Opens the limits. While Redis is away each process counts for itself, without waiting for it. */
export async function openRateLimits({ redisUrl, enabled, clock }: LimitOptions): Promise<RateLimits> {
  if (!enabled) return unlimited;
  // The room that carries wake-ups reports a Redis that is away. One that is full, or a copy, would tell what has been taken
  // and not remember what is: nothing is asked of it.
  const writes = (client: RedisLink['client']) => client.set('roost-limit-probe', 1, 'EX', PROBE_SECONDS);
  const redis = redisUrl === undefined ? undefined : await RedisLink.open(redisUrl, clock, () => undefined, writes);
  const limiters = new Map(Object.entries(RULES).map(([name, rule]) => [name, limiterFor(name, rule, redis)]));
  const limiter = (name: LimitName) => limiters.get(name) ?? limiterFor(name, RULES[name], redis);
  return {
    take: async (name, key, points) => {
      try {
        return allowance(RULES[name], await limiter(name).consume(key, points));
      } catch (rejection) {
        throw rejection instanceof RateLimiterRes
          ? RateLimited({ 'retry-after': secondsOf(rejection, RULES[name]) })
          : rejection;
      }
    },
    check: async (name, key) => {
      const state = await limiter(name).get(key);
      if (state && state.remainingPoints <= 0) throw RateLimited({ 'retry-after': secondsOf(state, RULES[name]) });
    },
    has: async (name, key) => ((await limiter(name).get(key))?.consumedPoints ?? 0) > 0,
    giveBack: async (name, key) => {
      await limiter(name).reward(key);
    },
    forgive: async (name, key) => {
      await limiter(name).delete(key);
    },
    get isShared() {
      return redis?.isUsable ?? true;
    },
    close: async () => redis?.close(),
  };
}

const unlimited: RateLimits = {
  take: (name) => Promise.resolve({ limit: RULES[name].points, remaining: RULES[name].points, resetSeconds: 0 }),
  check: () => Promise.resolve(),
  has: () => Promise.resolve(false),
  giveBack: () => Promise.resolve(),
  forgive: () => Promise.resolve(),
  isShared: true,
  close: () => Promise.resolve(),
};

function limiterFor(name: string, rule: Rule, redis: RedisLink | undefined): Limiter {
  const options = { keyPrefix: `roost-limit-${name}`, points: rule.points, duration: rule.seconds };
  const own = new RateLimiterMemory(options);
  return redis ? withFallback(new RateLimiterRedis({ ...options, storeClient: redis.client }), own, redis) : own;
}

function allowance(rule: Rule, state: RateLimiterRes): Allowance {
  return { limit: rule.points, remaining: Math.max(0, state.remainingPoints), resetSeconds: secondsOf(state, rule) };
}

/** Never longer than the limit, even if the clock was set meanwhile. */
function secondsOf(state: RateLimiterRes, { seconds }: Rule): number {
  return Math.min(seconds, Math.max(0, state.msBeforeNext) / 1000);
}

/**
 * The network that an address counts as: of IPv6 the /64, because one customer has all of its addresses. Addresses
 * of IPv4 in IPv6 form count as what they are.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // A dotted end stands for two groups.
  const width = groups.length + after.length + (address.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - width)).fill('0');
  const first = [...groups, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${first.join(':')}::/64`;
}
