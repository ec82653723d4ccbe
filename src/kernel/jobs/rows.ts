import type { RealmId } from '#kernel/ids';
import {
  type Closing,
  col,
  compiledLast,
  compiledServerWide,
  inChunks,
  type RawBuilder,
  type ReadTx,
  type RealmWriteTx,
  type RowOf,
  type SelectOf,
  type SqlBool,
  sql,
  table,
  type WriteTx,
} from '#kernel/store';
import type { Full } from './shares.ts';

/** Attempts before a job is given up; with fewer attempts it was refused. */
export const MAX_ATTEMPTS = 12;

/** Deferred work. There is at most one job with the same `key`. */
const jobTable = table('job', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  kind: col.text(),
  job_key: col.textOrNull(),
  payload: col.text(),
  run_at: col.int(),
  leased_until: col.int(),
  attempts: col.int(),
  failed_at: col.intOrNull(),
  /** The part of the organization that shares its workers with others, unique among all organizations. */
  party: col.textOrNull(),
});
export type JobRow = SelectOf<typeof jobTable>;

declare module '#kernel/store' {
  interface Tables {
    job: RowOf<typeof jobTable>;
  }
}

/** A job without a key. */
export interface KeylessJob {
  readonly realm_id: RealmId;
  readonly kind: string;
  readonly payload: string;
  readonly run_at: number;
  readonly party?: string | null;
}

interface NewJob extends KeylessJob {
  readonly job_key: string;
}

/**
 * Stores a job; an existing one with the same key gets the new payload and time, with `unlessWaiting` only if it was
 * given up.
 */
export async function upsertJob(tx: WriteTx, job: NewJob, unlessWaiting: boolean): Promise<void> {
  const { realm_id, kind, job_key, payload, run_at, party = null } = job;
  await (unlessWaiting ? addJob : renewJob)(tx, { realm_id, kind, job_key, payload, run_at, party });
}

const addJob = upsert(true);
const renewJob = upsert(false);

function upsert(unlessWaiting: boolean) {
  return compiledServerWide(({ db }, job: NewJob) =>
    db
      .insertInto('job')
      .values({ ...job, leased_until: 0, attempts: 0, failed_at: null })
      .onConflict((conflict) => {
        const renewed = conflict
          .columns(['realm_id', 'kind', 'job_key'])
          .doUpdateSet({ payload: job.payload, run_at: job.run_at, attempts: 0, failed_at: null });
        return unlessWaiting ? renewed.where('job.failed_at', 'is not', null) : renewed;
      }),
  );
}

const UNTOUCHED = { job_key: null, leased_until: 0, attempts: 0, failed_at: null, party: null } as const;

/** Stores a job without a key at the end of the transaction, together with other writes. */
export function leaveJob(tx: WriteTx, job: KeylessJob): void {
  if (tx.later) tx.later.insert(jobTable, { ...UNTOUCHED, ...job }, { isNew: true });
  else tx.beforeCommit(insertJobs, job);
}

/** Stores jobs without keys, many in one statement. They have no attempts unless they say so. */
export const insertJobs: Closing<KeylessJob & { readonly attempts?: number }> = async (tx, jobs) => {
  const [only] = jobs;
  if (only && jobs.length === 1 && only.attempts === undefined) {
    const { realm_id, kind, payload, run_at, party = null } = only;
    await insertJob(tx, { realm_id, kind, payload, run_at, party });
    return;
  }
  for (const chunk of inChunks(jobs, 200)) {
    const rows = chunk.map((job) => ({ ...UNTOUCHED, ...job }));
    await tx.db.insertInto('job').values(rows).execute();
  }
};

const insertJob = compiledLast(({ db }, job: Required<KeylessJob>) =>
  db.insertInto('job').values({ ...UNTOUCHED, ...job }),
);

export async function deleteJobByKey(tx: RealmWriteTx, kind: string, key: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('job')
    .where('realm_id', '=', tx.realmId)
    .where('kind', '=', kind)
    .where('job_key', '=', key)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteJobsOf(tx: RealmWriteTx): Promise<void> {
  await tx.db.deleteFrom('job').where('realm_id', '=', tx.realmId).execute();
}

const NONE: Full = { realms: [], parties: [] };

/** How many jobs a worker claims. */
interface Claim {
  readonly limit: number;
  /** Seconds for which no other worker runs them. */
  readonly seconds: number;
  /** Organizations and parties whose jobs must wait. */
  readonly full?: Full;
}

/** Claims due jobs. */
export async function claimJobs(
  tx: WriteTx,
  kinds: readonly string[],
  { limit, seconds, full = NONE }: Claim,
): Promise<readonly JobRow[]> {
  const rows = await claim(tx, kinds, limit, tx.now, tx.now + seconds, full.realms, full.parties);
  return rows.toSorted((a, b) => a.run_at - b.run_at || a.id - b.id);
}

const claim = compiledServerWide(
  (
    { db, dialect },
    kinds: readonly string[],
    limit: number,
    now: number,
    until: number,
    realms: readonly RealmId[],
    parties: readonly string[],
  ) => {
    const firstOf = (kind: RawBuilder<string>) =>
      db
        .selectFrom('job')
        .select('id')
        .where('kind', '=', kind)
        .where('failed_at', 'is', null)
        .where('run_at', '<=', now)
        .where('leased_until', '<=', now)
        .where(mayRun(dialect, realms, parties))
        // This is the complete order of the index, so the first jobs are found at once, however many there are.
        .orderBy('failed_at')
        .orderBy('run_at')
        .orderBy('leased_until')
        .limit(limit)
        .modifyEnd(dialect.skipLocked);
    const due = sql<number>`(select found.id from ${dialect.foundForEach('job', kinds, firstOf)}
      order by found.run_at, found.id limit ${limit})`;
    return db
      .updateTable('job')
      .set({ leased_until: until, attempts: sql<number>`attempts + 1` })
      .where('id', 'in', due)
      .returningAll();
  },
);

/** Deletes jobs of the same attempt; false if one of them was claimed again, stored again or cancelled meanwhile. */
export async function deleteJobs(tx: WriteTx, jobs: readonly JobRow[]): Promise<boolean> {
  const ids = jobs.map(({ id }) => id);
  const deleted = await deleteAtTry(tx, ids, jobs[0]?.attempts ?? 0);
  return deleted.length === jobs.length;
}

const deleteAtTry = compiledServerWide(({ db, dialect }, ids: readonly number[], attempts: number) =>
  db.deleteFrom('job').where(dialect.anyOf('id', ids)).where('attempts', '=', attempts).returning('id'),
);

/**
 * Adjusts jobs after the clock was set by `seconds` (negative for back): what was due stays due, and no lease lasts
 * longer than a new one. Harmless if repeated, as when several processes on a machine notice the change.
 */
export async function shiftJobs(tx: WriteTx, seconds: number, leaseSeconds: number): Promise<void> {
  const before = tx.now - seconds;
  const until = tx.now + leaseSeconds;
  const leased = tx.db.updateTable('job').set({ leased_until: until });
  if (seconds > 0) {
    await leased.where('leased_until', '>', before).where('leased_until', '<', until).execute();
    return;
  }
  await leased.where('leased_until', '>', until).execute();
  await tx.db
    .updateTable('job')
    .set({ run_at: tx.now })
    .where('run_at', '>', tx.now)
    .where('run_at', '<=', before)
    .where('failed_at', 'is', null)
    .execute();
}

/** Releases a job to be run at `runAt`, or gives it up if `failedAt` is given. */
export async function releaseJob(
  tx: WriteTx,
  { id, attempts }: JobRow,
  runAt: number,
  failedAt: number | null,
): Promise<void> {
  await tx.db
    .updateTable('job')
    .set({ leased_until: 0, run_at: runAt, failed_at: failedAt })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/** Releases a claimed job that was not run because the process ends, as if it had not been claimed. */
export async function returnJob(tx: WriteTx, { id, attempts }: JobRow): Promise<void> {
  await tx.db
    .updateTable('job')
    .set({ leased_until: 0, run_at: tx.now, attempts: attempts - 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/**
 * Ends the lease of jobs that were stored again while they ran, so that they run at their new time. Returns whether
 * there was one.
 */
export async function freeRenewed(tx: WriteTx, jobs: readonly JobRow[]): Promise<boolean> {
  const ids = jobs.map(({ id }) => id);
  const { numUpdatedRows } = await tx.db
    .updateTable('job')
    .set({ leased_until: 0 })
    .where(tx.dialect.anyOf('id', ids))
    // A claim counts an attempt, so 0 attempts means that the job was stored again after it was claimed.
    .where('attempts', '=', 0)
    .where('leased_until', '>', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Renews the lease of claimed jobs; false if one of them was claimed again, stored again or cancelled. */
export async function extendLease(tx: WriteTx, jobs: readonly JobRow[], seconds: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('job')
    .set({ leased_until: tx.now + seconds })
    .where(
      tx.dialect.anyOf(
        'id',
        jobs.map(({ id }) => id),
      ),
    )
    .where('attempts', '=', jobs[0]?.attempts ?? 0)
    .executeTakeFirst();
  return Number(numUpdatedRows) === jobs.length;
}

/** Whether a due job is unclaimed. Takes the same time however many jobs there are, save those of `full`. */
export async function isAnyDue(tx: ReadTx, kinds: readonly string[], full = NONE): Promise<boolean> {
  return (await anyDue(tx, kinds, tx.now, full.realms, full.parties)).length > 0;
}

const anyDue = compiledServerWide(
  ({ db, dialect }, kinds: readonly string[], now: number, realms: readonly RealmId[], parties: readonly string[]) =>
    db
      .selectFrom('job')
      .select('id')
      .where('failed_at', 'is', null)
      .where('run_at', '<=', now)
      .where('leased_until', '<=', now)
      .where(dialect.anyOfText('kind', kinds))
      .where(mayRun(dialect, realms, parties))
      .limit(1),
);

/** Whether a job is neither of these organizations nor of these parties. */
function mayRun(
  dialect: ReadTx['dialect'],
  realms: readonly RealmId[],
  parties: readonly string[],
): RawBuilder<SqlBool> {
  const isFull = sql`${dialect.anyOf('realm_id', realms)} or ${dialect.anyOfText(sql`coalesce(party, '')`, parties)}`;
  return sql<SqlBool>`not (${isFull})`;
}

/** When the next job is due or its lease expires; undefined if there is none. */
export async function nextDue(tx: ReadTx, kinds: readonly string[]): Promise<number | undefined> {
  const [row] = await firstDue(tx, kinds);
  return row?.due ?? undefined;
}

const firstDue = compiledServerWide(({ db, dialect }, kinds: readonly string[]) =>
  db
    .selectFrom('job')
    .select(sql<number | null>`min(case when run_at > leased_until then run_at else leased_until end)`.as('due'))
    .where('failed_at', 'is', null)
    .where(dialect.anyOfText('kind', kinds)),
);

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

/** A job that was given up after its last attempt, or refused. */
export interface GivenUpJob extends Pick<JobRow, 'id' | 'realm_id' | 'kind' | 'attempts'> {
  /** When it was given up, in seconds since 1970. */
  readonly failed_at: number;
}

/** Whether it was refused before its last attempt. */
export const isRefused = (attempts: number): boolean => attempts < MAX_ATTEMPTS;

/** Lists jobs that were given up, newest first. */
export function listGivenUp(tx: ReadTx, limit: number): Promise<readonly GivenUpJob[]> {
  return tx.db
    .selectFrom('job')
    .select(['id', 'realm_id', 'kind', 'attempts', 'failed_at'])
    .where('failed_at', 'is not', null)
    .orderBy('failed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .$narrowType<{ failed_at: number }>()
    .execute();
}

/** Deletes jobs that were given up before a time. */
export async function deleteGivenUpBefore(tx: WriteTx, time: number): Promise<void> {
  await tx.db.deleteFrom('job').where('failed_at', '<', time).execute();
}

/** Retries the given-up job with this ID, or all; returns how many. */
export async function retryGivenUp(tx: WriteTx, id: number | undefined): Promise<number> {
  const all = tx.db
    .updateTable('job')
    .set({ failed_at: null, attempts: 0, run_at: tx.now, leased_until: 0 })
    .where('failed_at', 'is not', null);
  const { numUpdatedRows } = await (id === undefined ? all : all.where('id', '=', id)).executeTakeFirst();
  return Number(numUpdatedRows);
}
