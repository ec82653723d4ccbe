import type { RealmRef } from '#kernel/auth';
import { everyoneInRealm } from '#kernel/events';
import type { RealmId, UserId } from '#kernel/ids';
import type { Kit } from '#kernel/kit';
import type { WriteTx } from '#kernel/store';
import { setUser } from '#features/users';
import { PresenceBook } from './book.ts';
import { cameBack, presenceChanged } from './events.ts';
import { type Company, type Person, readCompany } from './people.ts';
import { findPresences, listPresencesAfter, takeUpdateIds, upsertPresences } from './queries.ts';
import { MAX_TOLD_USERS, type Seen, type Status, touch, type Touched } from './rules.ts';
import type { PresenceRow } from './tables.ts';

/** Events after which an organization's people are read anew. */
const PEOPLE_EVENTS = /^(realm|realm_user|user_settings)(\/|$)/;
/** Seconds of accuracy of the last sign of life. */
const ACTIVITY_SECONDS = 86_400;
/** Seconds after which a sign of life is news to partial lists of subscribers. Api 4.22. */
const ABSENCE_SECONDS = 14 * 86_400;

/**
 * One organization's presences as this process knows them. The table is the truth; the book follows it by update ID, and
 * pings that come while one batch is being written share the next.
 */
class PresenceRoom {
  readonly #kit: Kit;
  readonly #realm: RealmRef;
  readonly #book = new PresenceBook();
  #company: Promise<Company> | undefined;
  /** Signs of life noted since the people were read. */
  readonly #noted = new Map<UserId, number>();
  #isBehind = true;
  #pulling: Promise<void> | undefined;
  #waiting = new Map<UserId, Status>();
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(kit: Kit, realm: RealmRef) {
    this.#kit = kit;
    this.#realm = realm;
  }

  /** The people of the organization; read again when somebody is missing who has just been let in. */
  async company(userId: UserId): Promise<Company> {
    const known = await this.#people();
    if (known.people.has(userId)) return known;
    this.forgetPeople();
    return this.#people();
  }

  forgetPeople(): void {
    this.#company = undefined;
  }

  /** Notes that rows were written which the book does not have. */
  fallBehind(): void {
    this.#isBehind = true;
  }

  /** Writes a ping down, unless it changes nothing. */
  async ping(person: Person, status: Status): Promise<void> {
    await this.book();
    if (!touch(this.#book.find(person.user_id), status, this.#kit.clock.now())) return;
    if (this.#waiting.get(person.user_id) !== 'active') this.#waiting.set(person.user_id, status);
    this.#next ??= this.#writeNext();
    await this.#next;
  }

  /** Notes a sign of life of the person, once a day: it tells who counts as recently active. */
  async noteLife(person: Person): Promise<void> {
    const now = this.#kit.clock.now();
    const silence = now - Math.max(person.last_active_at, this.#noted.get(person.user_id) ?? 0);
    if (silence < ACTIVITY_SECONDS) return;
    this.#noted.set(person.user_id, now);
    await this.#kit.store.write(async (tx) => {
      await setUser(tx, this.#realm.id, person.user_id, { last_active_at: tx.now });
      if (silence >= ABSENCE_SECONDS) tx.emit(cameBack(this.#realm.id, {}));
    });
  }

  /** The book, level with the table. */
  async book(): Promise<PresenceBook> {
    if (this.#isBehind || this.#kit.server.isShared) await this.#pull();
    return this.#book;
  }

  #people(): Promise<Company> {
    if (this.#company) return this.#company;
    const reading = this.#kit.store.read((tx) => readCompany(this.#kit, tx, this.#realm));
    reading.catch(() => this.forgetPeople());
    this.#company = reading;
    return reading;
  }

  #pull(): Promise<void> {
    this.#pulling ??= this.#read().finally(() => {
      this.#pulling = undefined;
    });
    return this.#pulling;
  }

  async #read(): Promise<void> {
    this.#isBehind = false;
    try {
      this.#book.add(await this.#kit.store.query((tx) => listPresencesAfter(tx, this.#realm.id, this.#book.newest)));
    } catch (error) {
      this.#isBehind = true;
      throw error;
    }
  }

  #writeNext(): Promise<void> {
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(() => {
        const batch = this.#waiting;
        this.#waiting = new Map();
        this.#next = undefined;
        return this.#write(batch);
      });
    return this.#writing;
  }

  async #write(batch: ReadonlyMap<UserId, Status>): Promise<void> {
    const company = await this.#people();
    // Where nobody else writes, the book has what the table has.
    const knows = !this.#isBehind && !this.#kit.server.isShared;
    const written = await this.#kit.store.write(async (tx) => {
      const known = knows ? this.#touched(batch, (id) => this.#book.find(id), tx.now) : undefined;
      if (known?.length === 0) return [];
      const first = await takeUpdateIds(tx, this.#realm.id, known?.length ?? batch.size);
      const touched = known ?? (await this.#touchedInTable(tx, batch));
      const rows = touched.map(({ user_id, last_active_at, last_connected_at }, index) => ({
        realm_id: this.#realm.id,
        user_id,
        last_active_at,
        last_connected_at,
        update_id: first + index,
      }));
      await upsertPresences(tx, rows);
      for (const { user_id, isNews, ...seen } of touched) {
        const person = company.people.get(user_id);
        if (isNews && person && mayTell(company)) announce(this.#kit, tx, this.#realm, person, seen);
      }
      return rows;
    });
    if (knows && follows(written, this.#book)) return this.#book.add(written);
    this.fallBehind();
    await this.#pull();
  }

  async #touchedInTable(tx: WriteTx, batch: ReadonlyMap<UserId, Status>): Promise<readonly TouchedBy[]> {
    const before = await findPresences(tx, this.#realm.id, [...batch.keys()]);
    return this.#touched(batch, (id) => before.get(id), tx.now);
  }

  #touched(
    batch: ReadonlyMap<UserId, Status>,
    before: (id: UserId) => Seen | undefined,
    now: number,
  ): readonly TouchedBy[] {
    return [...batch].flatMap(([user_id, status]) => {
      const seen = touch(before(user_id), status, now);
      return seen ? [{ user_id, ...seen }] : [];
    });
  }
}

/** What a ping makes of somebody's record. */
interface TouchedBy extends Touched {
  readonly user_id: UserId;
}

/** Whether rows are the very next ones: nobody has written others that the book would then never hear of. */
function follows(rows: readonly PresenceRow[], book: PresenceBook): boolean {
  const [first] = rows;
  return first === undefined || first.update_id === book.newest + 1;
}

/** Whether each coming online is told. */
function mayTell(company: Company): boolean {
  return !company.isDisabled && company.activeUsers <= MAX_TOLD_USERS;
}

/** Tells everybody of a presence. */
export function announce(
  kit: Pick<Kit, 'clock'>,
  tx: WriteTx,
  realm: RealmRef,
  person: Pick<Person, 'user_id' | 'email' | 'date_joined'>,
  seen: Seen,
): void {
  const { user_id, email, date_joined } = person;
  const { last_active_at, last_connected_at } = seen;
  const server_timestamp = kit.clock.nowMs() / 1000;
  tx.emit(
    presenceChanged(
      realm.id,
      { user_id, email, date_joined, last_active_at, last_connected_at, server_timestamp },
      { audience: everyoneInRealm },
    ),
  );
}

export type { PresenceRoom };

const rooms = new WeakMap<Kit['events'], Map<RealmId, PresenceRoom>>();

/** The presences of an organization in this process. */
export async function presenceRoom(kit: Kit, realm: RealmRef): Promise<PresenceRoom> {
  const open = rooms.get(kit.events) ?? listen(kit);
  const known = open.get(realm.id);
  if (known) return known;
  const room = new PresenceRoom(kit, realm);
  open.set(realm.id, room);
  // From now on this process hears of changes of the organization's people.
  await kit.events.newest(realm.id);
  return room;
}

/** The presences of an organization, where this process has looked at them already. */
export function findPresenceRoom(kit: Pick<Kit, 'events'>, realmId: RealmId): PresenceRoom | undefined {
  return rooms.get(kit.events)?.get(realmId);
}

function listen(kit: Kit): Map<RealmId, PresenceRoom> {
  const open = new Map<RealmId, PresenceRoom>();
  rooms.set(kit.events, open);
  kit.events.listen((realmId, entries) => {
    if (entries.some((entry) => PEOPLE_EVENTS.test(entry.type.kind))) open.get(realmId)?.forgetPeople();
  });
  return open;
}
