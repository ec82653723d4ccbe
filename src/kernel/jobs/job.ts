import type { RealmId } from '#kernel/ids';
import type { WriteTx } from '#kernel/store';

/** What a job's handler is given beside its payload. */
export interface JobContext<K> {
  readonly kit: K;
  readonly realmId: RealmId;
  /** How often it was tried before this time. */
  readonly attempts: number;
  /** Deletes the job in the handler's own transaction; throws, and so undoes it, when another process has the job now. */
  readonly finish: (tx: WriteTx) => Promise<void>;
}

/** Whom a kind of job may keep waiting: nobody, or others that wait for servers elsewhere. */
export type Lane = 'quick' | 'slow';

/** A kind of job, its payload's type forgotten. */
export interface JobKind<P = never, K = never> {
  readonly kind: string;
  readonly lane: Lane;
  run(payload: P, context: JobContext<K>): Promise<void>;
}

/** Declares a kind of job. Payloads are JSON. What waits for servers elsewhere belongs into the slow lane. */
export function defineJob<P, K>(
  kind: string,
  run: (payload: P, context: JobContext<K>) => Promise<void>,
  lane: Lane = 'quick',
): JobKind<P, K> {
  return { kind, run, lane };
}
