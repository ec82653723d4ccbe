import type { RealmId } from '#kernel/ids';
import { ofRealm, type ReadTx, type RealmReadTx, type Store } from '#kernel/store';

/** Most that is read from one snapshot. With a driver that answers at once, nobody else is served meanwhile. */
const MOST_TOGETHER = 16;

/** A caller that waits to read. */
interface Waiting {
  readonly realmId: RealmId;
  /** Resolves when the read has ended, with or without success. */
  readonly read: (tx: RealmReadTx) => Promise<'done' | 'failed'>;
  readonly refuse: (error: unknown) => void;
}

/**
 * A line of those who read much. Who waits together reads from one snapshot, begun after the last of them came: a
 * connection that finds at its beginning that something has changed forgets all it had read before.
 */
export class SnapshotLine {
  readonly #store: Store;
  readonly #waiting: Waiting[] = [];
  #serving = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  read<T>(realmId: RealmId, work: (tx: RealmReadTx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, refuse) => {
      const read = async (tx: RealmReadTx) => {
        try {
          resolve(await work(tx));
          return 'done';
        } catch (error) {
          refuse(error);
          return 'failed';
        }
      };
      this.#waiting.push({ realmId, read, refuse });
      if (this.#serving < this.#store.dialect.snapshotsAtOnce) void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    this.#serving++;
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#serveTogether(this.#waiting.splice(0, MOST_TOGETHER));
    }
    this.#serving--;
  }

  /**
   * Lets those who have read go on, and be answered, and waits while more come: a turn of the event loop takes in one new
   * connection, however many clients want one.
   */
  async #gather(): Promise<void> {
    let before: number;
    do {
      before = this.#waiting.length;
      await new Promise(setImmediate);
    } while (this.#waiting.length > before && this.#waiting.length < MOST_TOGETHER);
  }

  /** An error may have spoilt the snapshot: requests after it get another one. */
  async #serveTogether(together: Waiting[]): Promise<void> {
    try {
      await this.#store.read(async (tx) => {
        const of = realmsOf(tx);
        for (let next = together.shift(); next; next = together.shift())
          if ((await next.read(of(next.realmId))) === 'failed') return;
      });
      this.#waiting.unshift(...together);
    } catch (error) {
      for (const { refuse } of together) refuse(error);
    }
  }
}

/** One transaction for each organization: what is read once for each snapshot is so for all who read of it. */
function realmsOf(tx: ReadTx): (realmId: RealmId) => RealmReadTx {
  const known = new Map<RealmId, RealmReadTx>();
  return (realmId) => {
    const own = known.get(realmId) ?? ofRealm(tx, realmId);
    known.set(realmId, own);
    return own;
  };
}
