import type { JobKind } from './job.ts';
import { payloadsOf } from './joined.ts';
import type { JobRow } from './rows.ts';

/** Most jobs that run as one: no more than keep others from being served for a few milliseconds. */
const MOST_AS_ONE = 150;

/** Rows of claimed jobs that are run as one. */
export interface Batch {
  readonly rows: readonly JobRow[];
  readonly payloads: readonly unknown[];
}

/**
 * Claimed jobs as they are run: those that may run together as batches for each organization and kind, all others alone
 * and in order. A job that has failed before is alone too, so that it spoils the batch of others only once.
 */
export function batchesOf(
  rows: readonly JobRow[],
  kinds: ReadonlyMap<string, JobKind<never, never>>,
): readonly Batch[] {
  const batches: { readonly rows: JobRow[]; readonly payloads: unknown[] }[] = [];
  const open = new Map<string, (typeof batches)[number]>();
  for (const row of rows) {
    const payloads = payloadsOf(row);
    const kind = kinds.get(row.kind);
    const mayJoin = kind?.lane === 'batch' && row.attempts === 1;
    const place = `${row.realm_id} ${kind?.kind}`;
    const known = mayJoin ? open.get(place) : undefined;
    if (known && known.payloads.length + payloads.length <= MOST_AS_ONE) {
      known.rows.push(row);
      known.payloads.push(...payloads);
      continue;
    }
    const batch = { rows: [row], payloads: [...payloads] };
    batches.push(batch);
    if (mayJoin) open.set(place, batch);
  }
  return batches;
}
