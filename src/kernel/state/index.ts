export {
  Assembled,
  type Part,
  PERSONAL_AND_TALK,
  type CacheEntry,
  type CachedRead,
  type SharedCache,
  sharedCache,
  WITHIN_CHANNELS,
} from './shared-cache.ts';
export { type RegisterState, registerState, type StateContext, type StateRequest } from './state.ts';
