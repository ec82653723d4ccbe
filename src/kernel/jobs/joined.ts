import { grouped } from '#kernel/lists';
import { type Closing, inChunks, type WriteTx } from '#kernel/store';
import { insertJobs } from './stored.ts';
import type { JobRow, KeylessJob } from './tables.ts';

/** Most jobs in one row; the same as in a batch. */
const MOST_IN_ROW = 150;
/** Suffix of the kind of a row with several jobs; releases that do not know such rows ignore them. */
const JOINED = ' joined';

/** Stores a batch job at the commit, in one row with the others of its transaction. */
export function leaveToJoin(tx: WriteTx, job: KeylessJob): void {
  tx.beforeCommit(insertJoined, job);
}

const insertJoined: Closing<KeylessJob> = async (tx, jobs) => {
  const alike = grouped(jobs.map((job) => [`${job.realm_id} ${job.kind} ${job.run_at}`, job]));
  const rows = [...alike.values()].flatMap((group) => inChunks(group, MOST_IN_ROW).flatMap(joined));
  await insertJobs(tx, rows);
};

function joined(jobs: readonly KeylessJob[]): readonly KeylessJob[] {
  const [first] = jobs;
  if (!first || jobs.length === 1) return jobs;
  return [{ ...first, kind: joinedName(first.kind), payload: `[${jobs.map(({ payload }) => payload).join()}]` }];
}

/** Kind of a row with several jobs. */
export function joinedName(kind: string): string {
  return kind + JOINED;
}

/** Returns the payloads in a row. */
export function payloadsOf({ kind, payload }: Pick<JobRow, 'kind' | 'payload'>): readonly unknown[] {
  const value: unknown = JSON.parse(payload);
  return kind.endsWith(JOINED) && Array.isArray(value) ? value : [value];
}

/** Splits a row into rows of one job each, with the same number of attempts. */
export function separated(row: JobRow): readonly (KeylessJob & Pick<JobRow, 'attempts'>)[] {
  const { realm_id, run_at, attempts } = row;
  const kind = row.kind.slice(0, -JOINED.length);
  return payloadsOf(row).map((payload) => ({ realm_id, kind, payload: JSON.stringify(payload), run_at, attempts }));
}
