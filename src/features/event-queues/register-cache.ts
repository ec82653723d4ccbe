import { type EventLog, isNamed } from '#kernel/events';
import type { RealmRef } from '#kernel/auth';
import type { RealmId } from '#kernel/ids';
import type { CacheEntry, CachedRead, SharedCache } from '#kernel/state';

/** Seconds for which an outdated entry stays cached: its unchanged parts are used for the next. */
const OUTDATED_SECONDS = 600;
/** Most cached entries of one kind, over all organizations. */
const MAX_ENTRIES = 500;

/** Where a snapshot stands in its log; `hasHeard` is whether this process knows the log that far. */
interface ReadPoint {
  readonly realmId: RealmId;
  readonly position: number;
  readonly hasHeard: () => Promise<boolean>;
}

/**
 * Caches what is the same for many viewers of a realm. An entry is right at a later position of the log as long as no
 * event in between, for any audience, is of a type that changes it.
 */
export class RegisterCache {
  readonly #events: EventLog;

  constructor(events: EventLog) {
    this.#events = events;
  }

  /** The cache for a snapshot of the database in which the realm's log ends at `position`. */
  at(realm: RealmRef, position: number, now: number): CachedRead {
    const { id: realmId, subdomain, waitingPeriodDays, restrictsGuests } = realm;
    // The request's copy of its realm may be older than the snapshot that it reads.
    const place = JSON.stringify([realmId, subdomain, waitingPeriodDays, restrictsGuests]);
    let heard: Promise<number> | undefined;
    const hasHeard = async () => (await (heard ??= this.#events.newest(realmId))) >= position;
    return async <T>(
      sharedCache: SharedCache<T>,
      name: string,
      endedBy: readonly string[],
      read: (outdated: T | undefined) => Promise<T>,
    ): Promise<T> => {
      const key = `${place} ${name}`;
      const entries = this.#on(sharedCache);
      let outdated: T | undefined;
      for (let known = entries.get(key); known; known = entries.get(key)) {
        const isYoung = now - known.readAt < sharedCache.maxAgeSeconds;
        const holds = isYoung && (await this.#holds(known, { realmId, position, hasHeard }, endedBy));
        if (holds) return known.value;
        outdated = await known.value.catch(() => undefined);
        if (entries.get(key) === known) break;
      }
      return store(entries, { key, position, now }, () => read(outdated));
    };
  }

  async #holds(
    entry: CacheEntry<unknown>,
    { realmId, position, hasHeard }: ReadPoint,
    endedBy: readonly string[],
  ): Promise<boolean> {
    if (position <= entry.position) return position === entry.position;
    if (!(await hasHeard())) return false;
    const entries = (await this.#events.since(realmId, entry.position)).filter((entry) => entry.id <= position);
    if ((entries.at(-1)?.last_id ?? 0) < position) return false;
    if (entries.some(({ type }) => isNamed(type, endedBy))) return false;
    entry.position = Math.max(entry.position, position);
    return true;
  }

  #on<T>({ entries }: SharedCache<T>): Map<string, CacheEntry<T>> {
    const known = entries.get(this) ?? new Map<string, CacheEntry<T>>();
    entries.set(this, known);
    return known;
  }
}

function store<T>(
  entries: Map<string, CacheEntry<T>>,
  { key, position, now }: { key: string; position: number; now: number },
  read: () => Promise<T>,
): Promise<T> {
  const value = read();
  const known = entries.get(key);
  if (known && known.position > position) return value;
  for (const [name, { readAt }] of entries)
    if (now - readAt >= OUTDATED_SECONDS || entries.size >= MAX_ENTRIES) entries.delete(name);
  const entry: CacheEntry<T> = { value, readAt: now, position };
  entries.set(key, entry);
  value.catch(() => {
    if (entries.get(key) === entry) entries.delete(key);
  });
  return value;
}
