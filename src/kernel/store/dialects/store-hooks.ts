import type { CommitListener, Emissions, Flush, IsStored, LogEntry, ReadTx, WriteTx } from '../transactions.ts';

/**
 * The connections to the event log, which stores emitted events and is notified of commits, and to the job runner, which
 * is notified of new jobs.
 */
export class StoreHooks {
  #flush: Flush = () => Promise.reject(new Error('events were emitted before the log was connected'));
  #listener: CommitListener = () => undefined;
  #isStored: IsStored = () => Promise.resolve(false);

  /** Wakes the workers of a lane of jobs. */
  wake: (lane: string) => void = () => undefined;

  connect(flush: Flush, listener: CommitListener, isStored: IsStored): void {
    this.#flush = flush;
    this.#listener = listener;
    this.#isStored = isStored;
  }

  isStored(tx: ReadTx, entry: LogEntry): Promise<boolean> {
    return this.#isStored(tx, entry);
  }

  flush(tx: WriteTx, emitted: Emissions): Promise<readonly LogEntry[]> {
    return emitted.length > 0 ? this.#flush(tx, emitted) : Promise.resolve([]);
  }

  tell(entries: readonly LogEntry[]): void {
    if (entries.length > 0) this.#listener(entries);
  }
}
