import type { JobKind } from './job.ts';
import type { JobRow } from './rows.ts';

/**
 * Claimed jobs as they are run: those that may run together as one batch for each organization and kind, all others alone
 * and in order. A job that has failed before is alone too, so that it spoils the batch of others only once.
 */
export function batchesOf(
  jobs: readonly JobRow[],
  kinds: ReadonlyMap<string, JobKind<never, never>>,
): readonly (readonly JobRow[])[] {
  const batches: JobRow[][] = [];
  const open = new Map<string, JobRow[]>();
  for (const job of jobs) {
    const mayJoin = kinds.get(job.kind)?.lane === 'batch' && job.attempts === 1;
    const place = `${job.realm_id} ${job.kind}`;
    const known = mayJoin ? open.get(place) : undefined;
    if (known) known.push(job);
    else {
      const batch = [job];
      batches.push(batch);
      if (mayJoin) open.set(place, batch);
    }
  }
  return batches;
}
