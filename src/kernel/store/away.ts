/** What is known about work that the database did not finish. */
type Outcome = 'undone' | 'refused' | 'in doubt';

/**
 * The database cannot be reached or refuses work now; the same work may succeed in a moment. Nothing of it was stored,
 * unless the outcome is `in doubt` because the reply to its commit was lost.
 */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
  /**
   * `undone`: rolled back with its connection; `refused`: the server was busy, full or read-only; `in doubt`: it may
   * have been committed.
   */
  readonly outcome: Outcome;

  constructor(outcome: Outcome, cause: unknown) {
    super(`the database is not available: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, {
      cause,
    });
    this.outcome = outcome;
  }
}
