import { repeat } from '#kernel/clock';
import { listRealms, loadRealm } from '#features/realms';
import { defineJob, enqueue, type JobKind } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { expireMessages, expireKeys } from './expire.ts';
import { ofRealm } from '#kernel/store';

/** Seconds between two runs for an organization. */
const EVERY_SECONDS = 3600;
/** Milliseconds between two searches for organizations without this job. */
const SEED_EVERY_MS = 600_000;
const KEY = 'messages';

/**
 * Deletes messages whose retention period has ended, and idempotency keys that have served; its last step stores the
 * next job of this kind.
 */
export const retentionJob: JobKind<Record<never, never>, Context> = defineJob(
  'retention',
  async (_payload, { context, realmId, finish }) => {
    const realm = await loadRealm(context, realmId);
    const isMore = (await expireKeys(context, realm)) || (await expireMessages(context, realm));
    await context.store.of(realmId).write(async (tx) => {
      await finish(tx);
      const runAt = isMore ? tx.now : tx.now + EVERY_SECONDS;
      await enqueue(tx, retentionJob, {}, { key: KEY, runAt });
    });
  },
);

/** Gives each organization its job, unless it has one; a job that was given up starts again. */
export async function seedRetention(context: Context): Promise<void> {
  await context.store.write(async (tx) => {
    for (const { id } of await listRealms(tx))
      await enqueue(ofRealm(tx, id), retentionJob, {}, { key: KEY, unlessWaiting: true });
  });
}

/** Periodically gives each organization its job, including organizations that are created while the server runs. */
export function seedRegularly(context: Context): () => Promise<void> {
  const failed = (error: unknown) => context.log.room('retention').warn({ err: error }, 'jobs could not be stored');
  return repeat(context.clock, () => seedRetention(context), { everyMs: SEED_EVERY_MS, firstMs: 0, failed });
}
