import type { EventLog } from '#kernel/events';
import type { RealmRef } from '#kernel/auth';
import type { RealmId } from '#kernel/ids';
import type { Reading, Share, Shelf } from '#kernel/state';

/** Seconds a reading is kept that serves no more: what did not change of it is used for the next. */
const OUTDATED_SECONDS = 600;
/** Most readings of one kind kept, over all organizations. */
const MAX_READINGS = 500;

/**
 * What is the same for many viewers of a realm, read once. A reading holds at a later position of the log as long as every
 * entry in between is of a type that changes nothing of it, whoever the entry is for.
 */
export class SharedReadings {
  readonly #events: EventLog;

  constructor(events: EventLog) {
    this.#events = events;
  }

  /** The readings for a snapshot of the database in which the realm's log ends at `position`. */
  at(realm: RealmRef, position: number, now: number): Share {
    const { id: realmId, subdomain, waitingPeriodDays, restrictsGuests } = realm;
    // What a request knows of its realm may be older than the snapshot it reads.
    const place = JSON.stringify([realmId, subdomain, waitingPeriodDays, restrictsGuests]);
    let heard: Promise<number> | undefined;
    const hasHeard = async () => (await (heard ??= this.#events.newest(realmId))) >= position;
    return async <T>(
      shelf: Shelf<T>,
      name: string,
      survives: ReadonlySet<string>,
      read: (outdated: T | undefined) => Promise<T>,
    ): Promise<T> => {
      const key = `${place} ${name}`;
      const kept = this.#on(shelf);
      let outdated: T | undefined;
      for (let known = kept.get(key); known; known = kept.get(key)) {
        const isYoung = now - known.readAt < shelf.maxAgeSeconds;
        const holds = isYoung && (await this.#holds(known, realmId, position, survives, hasHeard));
        if (holds) return known.value;
        outdated = await known.value.catch(() => undefined);
        if (kept.get(key) === known) break;
      }
      return keep(kept, { key, position, now }, () => read(outdated));
    };
  }

  async #holds(
    reading: Reading<unknown>,
    realmId: RealmId,
    position: number,
    survives: ReadonlySet<string>,
    hasHeard: () => Promise<boolean>,
  ): Promise<boolean> {
    if (position <= reading.position) return position === reading.position;
    if (!(await hasHeard())) return false;
    const entries = (await this.#events.since(realmId, reading.position)).filter((entry) => entry.id <= position);
    if ((entries.at(-1)?.last_id ?? 0) < position) return false;
    if (!entries.every(({ type }) => survives.has(type.type) || survives.has(type.kind))) return false;
    reading.position = Math.max(reading.position, position);
    return true;
  }

  #on<T>({ kept }: Shelf<T>): Map<string, Reading<T>> {
    const known = kept.get(this) ?? new Map<string, Reading<T>>();
    kept.set(this, known);
    return known;
  }
}

function keep<T>(
  kept: Map<string, Reading<T>>,
  { key, position, now }: { key: string; position: number; now: number },
  read: () => Promise<T>,
): Promise<T> {
  const value = read();
  const known = kept.get(key);
  if (known && known.position > position) return value;
  for (const [name, { readAt }] of kept)
    if (now - readAt >= OUTDATED_SECONDS || kept.size >= MAX_READINGS) kept.delete(name);
  const reading: Reading<T> = { value, readAt: now, position };
  kept.set(key, reading);
  value.catch(() => {
    if (kept.get(key) === reading) kept.delete(key);
  });
  return value;
}
