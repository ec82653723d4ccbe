/** What is known of work that the database did not finish. */
type Outcome = 'undone' | 'refused' | 'in doubt';

/**
 * The database can not be reached or takes nothing now; the same may well succeed in a moment. Nothing of the work was
 * kept, except where it is `in doubt` because the answer to its commit was lost.
 */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
  /** `undone` with its connection, `refused` by a server that was busy, full or read-only, or `in doubt`. */
  readonly outcome: Outcome;

  constructor(outcome: Outcome, cause: unknown) {
    super(`the database is not available: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, {
      cause,
    });
    this.outcome = outcome;
  }
}
