import type { RealmRef } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmWriteTx, WriteTx } from '#kernel/store';
import { announce } from './announce.ts';
import type { SyncedPresences } from './synced-presences.ts';
import type { RealmPeople, Person } from './people.ts';
import { findPresences, takeUpdateIds, upsertPresences } from './queries.ts';
import { MAX_ANNOUNCED_USERS, type Seen, type Status, touch, type Touched } from './rules.ts';
import type { PresenceRow } from './tables.ts';

/** Milliseconds after which pings without an event are written to the table. Decision 0013. */
const WRITE_BEHIND_MS = 1000;
/** Update IDs that are reserved ahead; so many pings can be answered between two writes. */
const IDS_AHEAD = 1000;

/** Update IDs that were reserved from the table's counter and are unused; none if `next` is past `last`. */
interface Ids {
  readonly next: number;
  readonly last: number;
}

/**
 * Writes one organization's pings. A ping with an event is in the table before it is answered, together with all other
 * pings that arrived during the write before. Other pings are only put into the list, and written a second later; if
 * other processes answer from lists of their own, they are written at once, too. Invariant: while a write is running or
 * queued, only that write adds to the list. So the table always has all updates up to its newest.
 */
export class PresenceWriter {
  readonly #context: Context;
  readonly #realm: RealmRef;
  readonly #presences: SyncedPresences;
  readonly #readPeople: () => Promise<RealmPeople>;
  /** Pings for the next write. */
  #waiting = new Map<UserId, Status>();
  /** Rows of the list that are not in the table yet. */
  readonly #unwritten = new Map<UserId, PresenceRow>();
  #ids: Ids = { next: 1, last: 0 };
  #writes = 0;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isFlushSet = false;

  constructor(context: Context, realm: RealmRef, presences: SyncedPresences, readPeople: () => Promise<RealmPeople>) {
    this.#context = context;
    this.#realm = realm;
    this.#presences = presences;
    this.#readPeople = readPeople;
  }

  /** Records a ping of somebody of the organization, unless it changes nothing. */
  async ping(people: RealmPeople, { user_id }: Person, status: Status): Promise<void> {
    const list = await this.#presences.caughtUp();
    const touched = touch(list.find(user_id), status, this.#context.clock.now());
    if (!touched) return;
    const isSent = touched.isNews && mayTell(people);
    if (!isSent && this.#mayWriteBehind()) return this.#note(user_id, touched);
    if (this.#waiting.get(user_id) !== 'active') this.#waiting.set(user_id, status);
    await this.#write();
  }

  /** Resolves when the table has everything that the list has. */
  async flush(): Promise<void> {
    await (this.#unwritten.size > 0 ? this.#write() : this.#writing.catch(() => undefined));
  }

  /**
   * Call this in another transaction that writes presences: it writes the pending rows, and delays the answers of pings
   * until the transaction has ended, because the next write waits for it.
   */
  async giveWay(tx: WriteTx): Promise<void> {
    if (this.#context.server.isShared) return;
    this.#write().catch(() => undefined);
    await upsertPresences(tx, [...this.#unwritten.values()]);
  }

  #mayWriteBehind(): boolean {
    const { isCurrent, list } = this.#presences;
    const { next, last } = this.#ids;
    // If others have taken IDs after the reserved ones, no row may use the reserved ones any more.
    return isCurrent && this.#writes === 0 && next <= last && next > list.newest;
  }

  /** Adds a row to the list, and writes it to the table soon. */
  #note(user_id: UserId, { last_active_at, last_connected_at }: Seen): void {
    const { next, last } = this.#ids;
    this.#ids = { next: next + 1, last };
    const row = { realm_id: this.#realm.id, user_id, last_active_at, last_connected_at, update_id: next };
    this.#presences.list.add([row]);
    this.#unwritten.set(user_id, row);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#isFlushSet) return;
    this.#isFlushSet = true;
    this.#context.clock.after(WRITE_BEHIND_MS, () => {
      this.#isFlushSet = false;
      this.flush().catch((error: unknown) => {
        this.#context.log
          .room('presence')
          .warn({ err: error }, 'presences could not be written; the next write takes them');
      });
    });
  }

  /** The next write. It begins when the running one has ended, so that everything that arrives in between shares it. */
  #write(): Promise<void> {
    this.#next ??= this.#writeNext();
    return this.#next;
  }

  #writeNext(): Promise<void> {
    this.#writes++;
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(() => {
        const batch = this.#waiting;
        this.#waiting = new Map();
        this.#next = undefined;
        return this.#writeBatch(batch);
      })
      .finally(() => {
        this.#writes--;
      });
    return this.#writing;
  }

  async #writeBatch(batch: ReadonlyMap<UserId, Status>): Promise<void> {
    const people = await this.#readPeople();
    const { isCurrent } = this.#presences;
    const { rows, ids } = await this.#context.store.in(this.#realm).write(async (tx) => {
      await upsertPresences(tx, [...this.#unwritten.values()]);
      const taken = await this.#takeIds(tx, batch.size);
      const touched = await this.#touched(tx, batch, isCurrent);
      const written = touched.map(({ user_id, last_active_at, last_connected_at }, index) => ({
        realm_id: this.#realm.id,
        user_id,
        last_active_at,
        last_connected_at,
        update_id: taken.next + index,
      }));
      await upsertPresences(tx, written);
      for (const { user_id, isNews, ...seen } of touched) {
        const person = people.byId.get(user_id);
        if (isNews && person && mayTell(people)) announce(this.#context, tx, person, seen);
      }
      return { rows: written, ids: taken };
    });
    this.#unwritten.clear();
    if (!this.#context.server.isShared) this.#ids = { next: ids.next + rows.length, last: ids.last };
    if (isCurrent && ids.areNext) return this.#presences.list.add(rows);
    this.#presences.markBehind();
    await this.#presences.pull();
  }

  /**
   * Takes IDs for `count` rows and, if no other process writes, reserves more for later ones; `areNext` tells whether
   * nobody has taken any in between.
   */
  async #takeIds(tx: RealmWriteTx, count: number): Promise<Ids & { readonly areNext: boolean }> {
    const { next, last } = this.#ids;
    const ahead = this.#context.server.isShared ? 0 : Math.max(0, IDS_AHEAD - (last + 1 - next));
    // At least one, because only that shows whether others have taken IDs.
    const wanted = Math.max(1, count + ahead);
    const first = await takeUpdateIds(tx, wanted);
    const areNext = first === last + 1;
    return { next: areNext ? next : first, last: first + wanted - 1, areNext };
  }

  async #touched(
    tx: RealmWriteTx,
    batch: ReadonlyMap<UserId, Status>,
    isCurrent: boolean,
  ): Promise<readonly TouchedBy[]> {
    const { list } = this.#presences;
    const rows = isCurrent ? undefined : await findPresences(tx, [...batch.keys()]);
    return [...batch].flatMap(([user_id, status]) => {
      const seen = touch(rows ? rows.get(user_id) : list.find(user_id), status, tx.now);
      return seen ? [{ user_id, ...seen }] : [];
    });
  }
}

/** The record of somebody after a ping. */
interface TouchedBy extends Touched {
  readonly user_id: UserId;
}

/** Whether events announce who comes online. */
function mayTell(people: RealmPeople): boolean {
  return !people.isDisabled && people.activeUsers <= MAX_ANNOUNCED_USERS;
}
