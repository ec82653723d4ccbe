export { type Bus, localBus } from './bus.ts';
export { openPostgresBus } from './postgres.ts';
export { RedisLink } from './redis-link.ts';
export { openRedisBus, pingRedis } from './redis.ts';
