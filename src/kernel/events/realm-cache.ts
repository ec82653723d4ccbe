import type { RealmId } from '#kernel/ids';
import type { ReadDoors, RealmReadTx } from '#kernel/store';
import { isNamed } from './event.ts';
import type { EventLog } from './log.ts';

/** Where a cache reads, and how it learns of changes. */
export interface CacheContext {
  readonly store: Pick<ReadDoors, 'of'>;
  readonly events: EventLog;
}

interface Declaration<T> {
  /** The events that change the value, as types or as kinds (`type/op`). */
  readonly endedBy: readonly string[];
  readonly read: (tx: RealmReadTx) => Promise<T>;
}

/**
 * A value of a realm that each process caches until an event says that it changed; for values that every send needs and
 * that rarely change. Other processes learn of a change with their next wake-up. Outside transactions only.
 */
export function realmCache<T>({
  endedBy,
  read,
}: Declaration<T>): (context: CacheContext, realmId: RealmId) => Promise<T> {
  const caches = new WeakMap<EventLog, Map<RealmId, Promise<T>>>();
  const listen = (events: EventLog): Map<RealmId, Promise<T>> => {
    const values = new Map<RealmId, Promise<T>>();
    caches.set(events, values);
    events.listen((realmId, entries) => {
      if (entries.some((entry) => isNamed(entry.type, endedBy))) values.delete(realmId);
    });
    return values;
  };
  const load = async ({ store, events }: CacheContext, realmId: RealmId): Promise<T> => {
    // From here on this process follows the organization's events: what is read afterwards is never older than the last
    // entry it knows.
    await events.newest(realmId);
    return store.of(realmId).query(read);
  };
  return (context, realmId) => {
    const values = caches.get(context.events) ?? listen(context.events);
    const known = values.get(realmId);
    if (known) return known;
    const loading = load(context, realmId);
    values.set(realmId, loading);
    loading.catch(() => values.delete(realmId));
    return loading;
  };
}
