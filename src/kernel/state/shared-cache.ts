import type { Segment, SegmentRef } from '#kernel/gzip';

/** A viewer's own text, or a piece shared with other viewers that is compressed once, alone or in a segment list. */
export type Part = string | Segment | SegmentRef;

/** JSON of one field in parts. */
export class Assembled {
  readonly parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}

/** A value read at one position of the log. */
export interface CacheEntry<T> {
  readonly value: Promise<T>;
  /** Seconds since 1970. */
  readonly readAt: number;
  /** The newest position of the log at which it is known to hold. */
  position: number;
}

/** Most seconds that a cache entry is used unless its cache says otherwise: some values depend on the time of day. */
const MAX_AGE_SECONDS = 60;

/** Cache entries of one kind by name, for each server in this process. */
export interface SharedCache<T> {
  readonly entries: WeakMap<object, Map<string, CacheEntry<T>>>;
  readonly maxAgeSeconds: number;
}

export function sharedCache<T>(maxAgeSeconds = MAX_AGE_SECONDS): SharedCache<T> {
  return { entries: new WeakMap(), maxAgeSeconds };
}

/**
 * Reads something of the realm once for all viewers and positions of the log for which it is the same: `name` must hold
 * everything it depends on except the realm's own tables, and `endedBy` the events that change it, as types or as kinds
 * (`type/op`). `read` receives the previous, outdated value, so that unchanged parts need not be made again.
 */
export type CachedRead = <T>(
  sharedCache: SharedCache<T>,
  name: string,
  endedBy: readonly string[],
  read: (outdated: T | undefined) => Promise<T>,
) => Promise<T>;
