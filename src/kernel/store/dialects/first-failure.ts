import { isAftermath } from './postgres-errors.ts';

/**
 * Remembers the first failure of a transaction. Statements that were sent after it fail, too, and their errors may be
 * seen first, but only the first one tells whether to retry.
 */
export class FirstFailure {
  #first: unknown;

  /** Starts a new transaction. */
  restart(): void {
    this.#first = undefined;
  }

  note(error: unknown): void {
    this.#first ??= error;
  }

  /** Whether a statement of the transaction has failed, so that no other can run in it. */
  get hasFailed(): boolean {
    return this.#first !== undefined;
  }

  /** Returns the first failure if this error is only a consequence of it. */
  behind(error: unknown): unknown {
    return isAftermath(error) ? (this.#first ?? error) : error;
  }
}
