import type { RealmId } from '#kernel/ids';
import { ofRealm, type ReadTx, type RealmReadTx, type Store } from '#kernel/store';

/** Most callers that read from one snapshot. A synchronous driver blocks other requests meanwhile. */
const MOST_TOGETHER = 16;

/** A caller that waits to read. */
interface Waiting {
  readonly realmId: RealmId;
  /** Resolves when the read has ended, with or without success. */
  readonly read: (tx: RealmReadTx) => Promise<'done' | 'failed'>;
  readonly refuse: (error: unknown) => void;
}

/**
 * A queue of callers that read much. Those that wait at the same time share a snapshot, which begins after the last of
 * them has come: SQLite drops a connection's page cache if there was a write before the snapshot begins.
 */
export class SnapshotQueue {
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
   * Lets callers that have read continue and be answered, and waits while more arrive: a turn of the event loop accepts
   * one new connection only, however many clients are waiting.
   */
  async #gather(): Promise<void> {
    let before: number;
    do {
      before = this.#waiting.length;
      await new Promise(setImmediate);
    } while (this.#waiting.length > before && this.#waiting.length < MOST_TOGETHER);
  }

  /** An error may have invalidated the snapshot: later requests get another one. */
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

/**
 * One transaction for each organization, so that values that are read once for each snapshot are shared by all its
 * callers.
 */
function realmsOf(tx: ReadTx): (realmId: RealmId) => RealmReadTx {
  const known = new Map<RealmId, RealmReadTx>();
  return (realmId) => {
    const own = known.get(realmId) ?? ofRealm(tx, realmId);
    known.set(realmId, own);
    return own;
  };
}
