import { grouped } from '#kernel/lists';
import { type Closing, inChunks, type WriteTx } from '#kernel/store';
import { insertJobs, type JobRow, type KeylessJob } from './rows.ts';

/** Most jobs in one row; as many as are run as one. */
const MOST_IN_ROW = 150;
/** Behind the name of a kind where a row holds several of its jobs; a release that knows no such rows leaves them alone. */
const JOINED = ' joined';

/** Leaves a job of a kind that runs as one to be stored in one row with the others of its commit. */
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

/** The name under which several jobs of a kind are stored as one row. */
export function joinedName(kind: string): string {
  return kind + JOINED;
}

/** The payloads of the jobs that a row holds, as JSON. */
export function payloadsOf({ kind, payload }: Pick<JobRow, 'kind' | 'payload'>): readonly unknown[] {
  const value: unknown = JSON.parse(payload);
  return kind.endsWith(JOINED) && Array.isArray(value) ? value : [value];
}

/** The jobs of a row as rows of their own, which were tried as often. */
export function separated(row: JobRow): readonly (KeylessJob & Pick<JobRow, 'attempts'>)[] {
  const { realm_id, run_at, attempts } = row;
  const kind = row.kind.slice(0, -JOINED.length);
  return payloadsOf(row).map((payload) => ({ realm_id, kind, payload: JSON.stringify(payload), run_at, attempts }));
}
