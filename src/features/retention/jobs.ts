import { repeat } from '#kernel/clock';
import { listRealms, readRealm, realmRefOf } from '#features/realms';
import { defineJob, type JobKind } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { expireMessages } from './expire.ts';
import { ofRealm } from '#kernel/store';

/** Seconds between two looks at an organization's messages. */
const EVERY_SECONDS = 3600;
/** Milliseconds between two looks for organizations that have no such job yet. */
const SEED_EVERY_MS = 600_000;
const KEY = 'messages';

/** Deletes what has been kept long enough, and stores the next job of its kind as its last step. */
export const retentionJob: JobKind<Record<never, never>, Context> = defineJob(
  'retention',
  async (_payload, { context, realmId, finish }) => {
    const realm = realmRefOf(await context.store.of(realmId).query((tx) => readRealm(tx)));
    const isMore = await expireMessages(context, realm);
    await context.store.of(realmId).write(async (tx) => {
      await finish(tx);
      const runAt = isMore ? tx.now : tx.now + EVERY_SECONDS;
      await context.jobs.enqueue(tx, retentionJob, {}, { key: KEY, runAt });
    });
  },
);

/** Gives each organization its job, unless it has one; one that was given up begins anew. */
export async function seedRetention(context: Context): Promise<void> {
  await context.store.write(async (tx) => {
    for (const { id } of await listRealms(tx))
      await context.jobs.enqueue(ofRealm(tx, id), retentionJob, {}, { key: KEY, unlessWaiting: true });
  });
}

/** Sees to it that every organization has its job, also one that is made while the server runs. */
export function seedRegularly(context: Context): () => Promise<void> {
  const failed = (error: unknown) => context.log.room('retention').warn({ err: error }, 'jobs could not be stored');
  return repeat(context.clock, () => seedRetention(context), { everyMs: SEED_EVERY_MS, firstMs: 0, failed });
}
