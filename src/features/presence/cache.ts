import { SECONDS_PER_DAY } from '#kernel/clock';
import type { RealmRef } from '#kernel/auth';
import type { RealmId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { setUser } from '#features/users';
import type { PresenceList } from './list.ts';
import { cameBack } from './events.ts';
import { SyncedPresences } from './synced-presences.ts';
import { type RealmPeople, type Person, readPeople } from './people.ts';
import { PresenceWriter } from './writer.ts';

/** Types of events after which an organization's people are read again, and the personal settings that matter. */
const PEOPLE_EVENTS: ReadonlySet<string> = new Set(['realm', 'realm_user']);
const PEOPLE_SETTINGS: ReadonlySet<unknown> = new Set(['presence_enabled', 'email_address_visibility']);
/** Accuracy of the last activity, in seconds. */
const ACTIVITY_SECONDS = SECONDS_PER_DAY;
/**
 * Seconds of absence after which an activity changes partial lists of subscribers. See protocol/register#parameters.
 */
const ABSENCE_SECONDS = 14 * SECONDS_PER_DAY;

/** One organization's presences and people in this process. The table is authoritative, the list follows it. */
class PresenceCache {
  readonly #context: Context;
  readonly #realm: RealmRef;
  readonly #presences: SyncedPresences;
  readonly writer: PresenceWriter;
  #reading: Promise<RealmPeople> | undefined;
  /** Times of activity recorded since the people were read. */
  readonly #noted = new Map<UserId, number>();

  constructor(context: Context, realm: RealmRef) {
    this.#context = context;
    this.#realm = realm;
    this.#presences = new SyncedPresences(context, realm);
    this.writer = new PresenceWriter(context, realm, this.#presences, () => this.#people());
  }

  /** The people of the organization; read again if the user is missing, who may just have joined. */
  async peopleWith(userId: UserId): Promise<RealmPeople> {
    const known = await this.#people();
    if (known.byId.has(userId)) return known;
    this.forgetPeople();
    return this.#people();
  }

  forgetPeople(): void {
    this.#reading = undefined;
  }

  /** Notes that rows were written that the list does not have. */
  markBehind(): void {
    this.#presences.markBehind();
  }

  /** Returns the list after it has caught up with the table. */
  list(): Promise<PresenceList> {
    return this.#presences.caughtUp();
  }

  /** Records the person's activity at most once a day; this decides who counts as recently active. */
  async noteLife(person: Person): Promise<void> {
    const now = this.#context.clock.now();
    const silence = now - Math.max(person.last_active_at, this.#noted.get(person.user_id) ?? 0);
    if (silence < ACTIVITY_SECONDS) return;
    this.#noted.set(person.user_id, now);
    await this.#context.store.in(this.#realm).write(async (tx) => {
      await setUser(tx, person.user_id, { last_active_at: tx.now });
      if (silence >= ABSENCE_SECONDS) tx.emit(cameBack({}));
    });
  }

  #people(): Promise<RealmPeople> {
    if (this.#reading) return this.#reading;
    const reading = this.#context.store.in(this.#realm).read((tx) => readPeople(tx));
    reading.catch(() => this.forgetPeople());
    this.#reading = reading;
    return reading;
  }
}

export type { PresenceCache };

const caches = new WeakMap<Context['events'], Map<RealmId, PresenceCache>>();

/** The presences of an organization in this process. */
export async function presenceCache(context: Context, realm: RealmRef): Promise<PresenceCache> {
  const open = caches.get(context.events) ?? listen(context);
  const known = open.get(realm.id);
  if (known) return known;
  const cache = new PresenceCache(context, realm);
  open.set(realm.id, cache);
  // From here on this process receives events about the organization's people.
  await context.events.newest(realm.id);
  return cache;
}

/** The presences of an organization, if this process has loaded them. */
export function findPresenceCache(context: Pick<Context, 'events'>, realmId: RealmId): PresenceCache | undefined {
  return caches.get(context.events)?.get(realmId);
}

/** Writes everything that is only in memory when the server stops. */
export function flushAtStop(context: Context): () => Promise<void> {
  return async () => {
    for (const { writer } of caches.get(context.events)?.values() ?? []) await writer.flush();
  };
}

function listen(context: Context): Map<RealmId, PresenceCache> {
  const open = new Map<RealmId, PresenceCache>();
  caches.set(context.events, open);
  context.events.listen((realmId, entries) => {
    if (entries.some(changesPeople)) open.get(realmId)?.forgetPeople();
  });
  return open;
}

/**
 * Whether an event changes the people. Reading all people of a large organization takes tens of milliseconds, and most
 * settings do not concern them.
 */
function changesPeople(entry: { readonly type: { readonly type: string }; readonly payload: unknown }): boolean {
  const { type } = entry.type;
  if (type !== 'user_settings') return PEOPLE_EVENTS.has(type);
  const { payload } = entry;
  return (
    typeof payload === 'object' && payload !== null && 'property' in payload && PEOPLE_SETTINGS.has(payload.property)
  );
}
