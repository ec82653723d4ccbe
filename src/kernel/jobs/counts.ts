import { type ReadTx, sql } from '#kernel/store';
import { MAX_ATTEMPTS } from './tables.ts';

/** Numbers of jobs of all organizations. */
export interface JobCounts {
  /** Jobs that are not given up, whenever they are due, including running ones. */
  readonly waiting: number;
  /** Due and unclaimed jobs. */
  readonly due: number;
  /** When the oldest of those was due, in seconds since 1970; null if there is none. */
  readonly due_since: number | null;
  /** Jobs given up after the last attempt; kept until they are retried or too old. */
  readonly given_up: number;
  /** When the last of those was given up, in seconds since 1970; null if there is none. */
  readonly last_given_up: number | null;
  /**
   * Jobs refused before the last attempt because retrying would not help, as for mails to addresses that do not exist;
   * kept as long.
   */
  readonly refused: number;
}

export async function countJobs(tx: ReadTx): Promise<JobCounts> {
  const due = sql`failed_at is null and run_at <= ${tx.now} and leased_until <= ${tx.now}`;
  const spent = sql`(attempts >= ${MAX_ATTEMPTS})`;
  const { total, ...counts } = await tx.db
    .selectFrom('job')
    // Not named "failed": the store decodes results by column name, and other tables have a boolean of that name.
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(case when ${due} then 1 end)`.as('due'),
      sql<number | null>`min(case when ${due} then run_at end)`.as('due_since'),
      sql<number>`count(case when ${spent} then failed_at end)`.as('given_up'),
      sql<number | null>`max(case when ${spent} then failed_at end)`.as('last_given_up'),
      sql<number>`count(case when not ${spent} then failed_at end)`.as('refused'),
    ])
    .executeTakeFirstOrThrow();
  return { ...counts, waiting: total - counts.given_up - counts.refused };
}
