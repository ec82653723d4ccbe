export {
  Assembled,
  type Part,
  type CacheEntry,
  type CachedRead,
  type SharedCache,
  sharedCache,
} from './shared-cache.ts';
export { type RegisterState, registerState, type StateContext, type StateRequest, type SyncedState } from './state.ts';
