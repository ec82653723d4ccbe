import { SECONDS_PER_DAY } from '#kernel/clock';
import type { RealmRef } from '#kernel/auth';
import type { RealmId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { setUser } from '#features/users';
import type { PresenceBook } from './book.ts';
import { cameBack } from './events.ts';
import { FollowedBook } from './followed-book.ts';
import { type Roster, type Person, readRoster } from './people.ts';
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

/** One organization's presences and people in this process. The table is authoritative, the book follows it. */
class PresenceRoom {
  readonly #context: Context;
  readonly #realm: RealmRef;
  readonly #followed: FollowedBook;
  readonly writer: PresenceWriter;
  #roster: Promise<Roster> | undefined;
  /** Times of activity recorded since the people were read. */
  readonly #noted = new Map<UserId, number>();

  constructor(context: Context, realm: RealmRef) {
    this.#context = context;
    this.#realm = realm;
    this.#followed = new FollowedBook(context, realm);
    this.writer = new PresenceWriter(context, realm, this.#followed, () => this.#people());
  }

  /** The people of the organization; read again if the user is missing, who may just have joined. */
  async roster(userId: UserId): Promise<Roster> {
    const known = await this.#people();
    if (known.people.has(userId)) return known;
    this.forgetPeople();
    return this.#people();
  }

  forgetPeople(): void {
    this.#roster = undefined;
  }

  /** Notes that rows were written that the book does not have. */
  fallBehind(): void {
    this.#followed.fallBehind();
  }

  /** Returns the book after it has caught up with the table. */
  book(): Promise<PresenceBook> {
    return this.#followed.level();
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

  #people(): Promise<Roster> {
    if (this.#roster) return this.#roster;
    const reading = this.#context.store.in(this.#realm).read((tx) => readRoster(tx));
    reading.catch(() => this.forgetPeople());
    this.#roster = reading;
    return reading;
  }
}

export type { PresenceRoom };

const rooms = new WeakMap<Context['events'], Map<RealmId, PresenceRoom>>();

/** The presences of an organization in this process. */
export async function presenceRoom(context: Context, realm: RealmRef): Promise<PresenceRoom> {
  const open = rooms.get(context.events) ?? listen(context);
  const known = open.get(realm.id);
  if (known) return known;
  const room = new PresenceRoom(context, realm);
  open.set(realm.id, room);
  // From here on this process receives events about the organization's people.
  await context.events.newest(realm.id);
  return room;
}

/** The presences of an organization, if this process has loaded them. */
export function findPresenceRoom(context: Pick<Context, 'events'>, realmId: RealmId): PresenceRoom | undefined {
  return rooms.get(context.events)?.get(realmId);
}

/** Writes everything that is only in memory when the server stops. */
export function flushAtStop(context: Context): () => Promise<void> {
  return async () => {
    for (const { writer } of rooms.get(context.events)?.values() ?? []) await writer.flush();
  };
}

function listen(context: Context): Map<RealmId, PresenceRoom> {
  const open = new Map<RealmId, PresenceRoom>();
  rooms.set(context.events, open);
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
