import { listRealms, readRealm, realmRefOf } from '#features/realms';
import { defineJob, type JobKind } from '#kernel/jobs';
import type { Kit } from '#kernel/kit';
import { expireMessages } from './expire.ts';

/** Seconds between two looks at an organization's messages. */
const EVERY_SECONDS = 3600;
/** Milliseconds between two looks for organizations that have no such job yet. */
const SEED_EVERY_MS = 600_000;
const KEY = 'messages';

/** Deletes what has been kept long enough, and stores the next job of its kind as its last step. */
export const retentionJob: JobKind<Record<never, never>, Kit> = defineJob(
  'retention',
  async (_payload, { kit, realmId, finish }) => {
    const realm = realmRefOf(await kit.store.query((tx) => readRealm(tx, realmId)));
    const isMore = await expireMessages(kit, realm);
    await kit.store.write(async (tx) => {
      await finish(tx);
      const runAt = isMore ? tx.now : tx.now + EVERY_SECONDS;
      await kit.jobs.enqueue(tx, realmId, retentionJob, {}, { key: KEY, runAt });
    });
  },
);

/** Gives each organization its job, unless it has one; one that was given up begins anew. */
export async function seedRetention(kit: Kit): Promise<void> {
  await kit.store.write(async (tx) => {
    for (const { id } of await listRealms(tx))
      await kit.jobs.enqueue(tx, id, retentionJob, {}, { key: KEY, unlessWaiting: true });
  });
}

/** Sees to it that every organization has its job, also one that is made while the server runs. */
export function seedRegularly(kit: Kit): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  const seed = () => {
    running = seedRetention(kit)
      .catch((error: unknown) => kit.log.room('retention').warn({ err: error }, 'jobs could not be stored'))
      .then(() => {
        if (!isStopped) timer = kit.clock.after(SEED_EVERY_MS, seed);
      });
  };
  let timer = kit.clock.after(0, seed);
  return async () => {
    isStopped = true;
    timer.cancel();
    await running;
  };
}
