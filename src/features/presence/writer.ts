import type { RealmRef } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmWriteTx, WriteTx } from '#kernel/store';
import { announce } from './announce.ts';
import type { FollowedBook } from './followed-book.ts';
import type { Company, Person } from './people.ts';
import { findPresences, takeUpdateIds, upsertPresences } from './queries.ts';
import { MAX_TOLD_USERS, type Seen, type Status, touch, type Touched } from './rules.ts';
import type { PresenceRow } from './tables.ts';

/** Milliseconds after which the table learns of pings that nobody is told of. Decision 0013. */
const WRITE_BEHIND_MS = 1000;
/** Update IDs kept ahead of their use; as many pings can be answered between two writes. */
const IDS_AHEAD = 1000;

/** Update IDs that the table's counter has given away already and no row has; none while `next` is past `last`. */
interface Ids {
  readonly next: number;
  readonly last: number;
}

/**
 * Writes one organization's pings down. What an event tells of is in the table before its ping is answered, together with
 * all other pings that came while the write before it ran. The rest is only put into the book, and written a second later;
 * where other processes answer from books of their own, it is written at once as well.
 *
 * Always: while a write is under way or waits, nothing comes into the book but by it. So the table, whenever one looks, has
 * all updates up to its newest.
 */
export class PresenceWriter {
  readonly #context: Context;
  readonly #realm: RealmRef;
  readonly #followed: FollowedBook;
  readonly #readPeople: () => Promise<Company>;
  /** Pings that the next write takes along. */
  #waiting = new Map<UserId, Status>();
  /** Rows of the book that the table does not have. */
  readonly #unwritten = new Map<UserId, PresenceRow>();
  #ids: Ids = { next: 1, last: 0 };
  #writes = 0;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isFlushSet = false;

  constructor(context: Context, realm: RealmRef, followed: FollowedBook, readPeople: () => Promise<Company>) {
    this.#context = context;
    this.#realm = realm;
    this.#followed = followed;
    this.#readPeople = readPeople;
  }

  /** Writes a ping of one of the company's people down, unless it changes nothing. */
  async ping(company: Company, { user_id }: Person, status: Status): Promise<void> {
    const book = await this.#followed.level();
    const touched = touch(book.find(user_id), status, this.#context.clock.now());
    if (!touched) return;
    const isTold = touched.isNews && mayTell(company);
    if (!isTold && this.#mayWriteBehind()) return this.#note(user_id, touched);
    if (this.#waiting.get(user_id) !== 'active') this.#waiting.set(user_id, status);
    await this.#write();
  }

  /** Resolves when the table has what the book has. */
  async flush(): Promise<void> {
    await (this.#unwritten.size > 0 ? this.#write() : this.#writing.catch(() => undefined));
  }

  /**
   * For a transaction of others that writes presences: gives the table what it lacks, and keeps pings from being answered
   * before the transaction has ended, since the next write waits for it.
   */
  async giveWay(tx: WriteTx): Promise<void> {
    if (this.#context.server.isShared) return;
    this.#write().catch(() => undefined);
    await upsertPresences(tx, [...this.#unwritten.values()]);
  }

  #mayWriteBehind(): boolean {
    const { isLevel, book } = this.#followed;
    const { next, last } = this.#ids;
    // Others may have taken IDs after these: then no row may get them any more.
    return isLevel && this.#writes === 0 && next <= last && next > book.newest;
  }

  /** Takes a row into the book, and into the table soon. */
  #note(user_id: UserId, { last_active_at, last_connected_at }: Seen): void {
    const { next, last } = this.#ids;
    this.#ids = { next: next + 1, last };
    const row = { realm_id: this.#realm.id, user_id, last_active_at, last_connected_at, update_id: next };
    this.#followed.book.add([row]);
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

  /** The next write; it begins when the one under way has ended, so that all that comes meanwhile shares it. */
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
    const company = await this.#readPeople();
    const { isLevel } = this.#followed;
    const { rows, ids } = await this.#context.store.in(this.#realm).write(async (tx) => {
      await upsertPresences(tx, [...this.#unwritten.values()]);
      const taken = await this.#takeIds(tx, batch.size);
      const touched = await this.#touched(tx, batch, isLevel);
      const written = touched.map(({ user_id, last_active_at, last_connected_at }, index) => ({
        realm_id: this.#realm.id,
        user_id,
        last_active_at,
        last_connected_at,
        update_id: taken.next + index,
      }));
      await upsertPresences(tx, written);
      for (const { user_id, isNews, ...seen } of touched) {
        const person = company.people.get(user_id);
        if (isNews && person && mayTell(company)) announce(this.#context, tx, person, seen);
      }
      return { rows: written, ids: taken };
    });
    this.#unwritten.clear();
    if (!this.#context.server.isShared) this.#ids = { next: ids.next + rows.length, last: ids.last };
    if (isLevel && ids.areNext) return this.#followed.book.add(rows);
    this.#followed.fallBehind();
    await this.#followed.pull();
  }

  /** IDs for `count` rows, and where nobody else writes for later ones; `areNext` when nobody has taken any in between. */
  async #takeIds(tx: RealmWriteTx, count: number): Promise<Ids & { readonly areNext: boolean }> {
    const { next, last } = this.#ids;
    const ahead = this.#context.server.isShared ? 0 : Math.max(0, IDS_AHEAD - (last + 1 - next));
    // At least one, because only so it is seen what others have taken.
    const wanted = Math.max(1, count + ahead);
    const first = await takeUpdateIds(tx, wanted);
    const areNext = first === last + 1;
    return { next: areNext ? next : first, last: first + wanted - 1, areNext };
  }

  async #touched(
    tx: RealmWriteTx,
    batch: ReadonlyMap<UserId, Status>,
    isLevel: boolean,
  ): Promise<readonly TouchedBy[]> {
    const { book } = this.#followed;
    const rows = isLevel ? undefined : await findPresences(tx, [...batch.keys()]);
    return [...batch].flatMap(([user_id, status]) => {
      const seen = touch(rows ? rows.get(user_id) : book.find(user_id), status, tx.now);
      return seen ? [{ user_id, ...seen }] : [];
    });
  }
}

/** What a ping makes of somebody's record. */
interface TouchedBy extends Touched {
  readonly user_id: UserId;
}

/** Whether each coming online is told. */
function mayTell(company: Company): boolean {
  return !company.isDisabled && company.activeUsers <= MAX_TOLD_USERS;
}
