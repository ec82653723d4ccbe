import { AsyncLocalStorage } from 'node:async_hooks';

let transaction: AsyncLocalStorage<true> | undefined = new AsyncLocalStorage<true>();

/**
 * Turns off the marking of transactions, for production: following every promise costs a tenth of a send on Node 20.
 */
export function stopMarking(): void {
  transaction = undefined;
}

/** Runs `work` marked as being inside a write transaction. */
export function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return transaction ? transaction.run(true, work) : work();
}

/** Runs `work` without the mark; for what a transaction hands over to be done later. */
export function outsideTransaction<T>(work: () => T): T {
  return transaction ? transaction.exit(work) : work();
}

/**
 * Throws when called inside a marked write transaction. Rooms that do slow work (rendering, hashing, files, network)
 * call it first, because a waiting transaction stops every other writer.
 */
export function assertOutsideTransaction(what: string): void {
  if (transaction?.getStore()) throw new Error(`${what} must not run inside a transaction`);
}
