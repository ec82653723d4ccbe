import type { JobKind } from './job.ts';
import { payloadsOf } from './joined.ts';
import type { JobRow } from './tables.ts';

/** Most jobs in a batch; more would block other work for more than a few milliseconds. */
const MOST_AS_ONE = 150;

/** Rows of claimed jobs that run together. */
export interface Batch {
  readonly rows: readonly JobRow[];
  readonly payloads: readonly unknown[];
}

/**
 * Groups claimed jobs for running: those of batch kinds by organization and kind, all others alone and in order. A job
 * that failed before runs alone, too, so that it fails its batch only once.
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
