import type { RealmId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Attempts before a job is given up; with fewer attempts it was refused. */
export const MAX_ATTEMPTS = 12;

/** Deferred work. There is at most one job with the same `key`. */
export const jobTable = table('job', {
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

export interface NewJob extends KeylessJob {
  readonly job_key: string;
}
