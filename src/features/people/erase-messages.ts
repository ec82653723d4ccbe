import type { RealmRefWriteTx } from '#kernel/auth';
import { deleteMessages } from '#features/message-edits';
import { withRealm } from '#features/realms';
import { lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { defineJob, enqueue } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { listMessagesOf } from './queries.ts';

/** Most messages that one transaction deletes. */
const BATCH = 200;

/** Kinds of somebody's messages to erase. See protocol/users#deactivating. */
export interface ErasedKinds {
  readonly delete_public_channel_messages?: boolean | undefined;
  readonly delete_private_channel_messages?: boolean | undefined;
  readonly delete_direct_messages?: boolean | undefined;
}

interface Rest {
  readonly user_id: UserId;
  readonly kinds: ErasedKinds;
}

/** Deletes the rest of somebody's messages in batches. */
export const eraseRestJob = defineJob<Rest, Context>('erase-messages', async (rest, { context, realmId, finish }) => {
  await context.store.of(realmId).write(async (tx) => {
    await finish(tx);
    await lockLog(tx);
    await eraseMessages(context, await withRealm(context, tx), rest.user_id, rest.kinds);
  });
});

/**
 * Deletes messages of somebody who is deactivated, newest first, with the events of an ordinary deletion. If there are
 * very many, a job deletes most of them after the commit, so that nobody waits. See protocol/users#deactivating.
 */
export async function eraseMessages(
  context: Context,
  tx: RealmRefWriteTx,
  userId: UserId,
  kinds: ErasedKinds,
): Promise<void> {
  const rows = await listMessagesOf(tx, userId, kinds, BATCH);
  if (rows.length > 0) await deleteMessages(context, tx, rows);
  if (rows.length === BATCH) await eraseRest(tx, { user_id: userId, kinds });
}

function eraseRest(tx: RealmWriteTx, rest: Rest): Promise<void> {
  return enqueue(tx, eraseRestJob, rest);
}
