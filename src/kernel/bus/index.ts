export type { Bus } from './bus.ts';
export { localBus } from './local.ts';
export { openPostgresBus } from './postgres.ts';
export { RedisLink } from './redis-link.ts';
export { openRedisBus, pingRedis } from './redis.ts';
