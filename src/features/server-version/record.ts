import { listRealms } from '#features/realms';
import type { Context } from '#kernel/context';
import { defineJob, enqueue, type JobKind } from '#kernel/jobs';
import { ofRealm } from '#kernel/store';
import { restarted } from './events.ts';
import { readSince, replaceVersion } from './queries.ts';
import { FEATURE_LEVEL, ROOST_VERSION, VERSION } from './version.ts';

interface Change {
  readonly zulip_version: string;
  readonly zulip_feature_level: number;
  readonly since: number;
}

/** Tells the clients of one organization that another version was started. */
export const restartJob: JobKind<Change, Context> = defineJob(
  'restart',
  async (change, { context, realmId, finish }) => {
    const { zulip_version, zulip_feature_level, since } = change;
    await context.store.of(realmId).write(async (tx) => {
      await finish(tx);
      tx.emit(
        restarted({ zulip_version, zulip_merge_base: zulip_version, zulip_feature_level, server_generation: since }),
      );
    });
  },
);

/**
 * Records the running version. If it differs from the one before, the clients of all organizations are told, once for
 * any number of processes. Returns the Unix time at which this version first started. See protocol/queues#restart.
 */
export function recordVersion(context: Context): Promise<number> {
  return context.store.write(async (tx) => {
    const running = { zulip_version: VERSION, feature_level: FEATURE_LEVEL, roost_version: ROOST_VERSION };
    if (!(await replaceVersion(tx, { ...running, since: tx.now }))) return readSince(tx);
    const change = { zulip_version: VERSION, zulip_feature_level: FEATURE_LEVEL, since: tx.now };
    for (const { id } of await listRealms(tx)) await enqueue(ofRealm(tx, id), restartJob, change);
    return tx.now;
  });
}
