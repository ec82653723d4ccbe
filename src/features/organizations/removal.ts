import { SECONDS_PER_DAY } from '#kernel/clock';
import { exportsFolder } from '#features/data-exports';
import { eraseSomeMessages } from '#features/messages';
import { pictureKey } from '#features/pictures';
import { deleteRealm, lockRealm, setRealmSubdomain } from '#features/realms';
import { thumbnailKey, uploadKey } from '#features/uploads';
import type { RealmId } from '#kernel/ids';
import { cancelJob, defineJob, deleteJobsOf, enqueue, type JobContext, type JobKind } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { type RealmWriteTx, removeRows, tables } from '#kernel/store';

/** Milliseconds after which a run leaves the rest to the next one, well within the lease of a job. */
const PIECE_MS = 20_000;
/** Rows deleted in one transaction, so that others can write in between. */
const BATCH = 500;
/** Key of the job, of which each organization has one. */
const KEY = 'organization';

interface Removal {
  /** Whether the organization has lost its address; then the removal can no longer be cancelled. */
  readonly isUnderWay: boolean;
}

/** Deletes everything of a deactivated organization, piece by piece. If it has been reactivated, nothing is deleted. */
export const removalJob: JobKind<Removal, Context> = defineJob('remove-organization', async ({ isUnderWay }, job) => {
  if (!isUnderWay) return begin(job);
  const { context, realmId, finish } = job;
  const isMore = await removePiece(context, realmId);
  await context.store.of(realmId).write(async (tx) => {
    await finish(tx);
    if (isMore) return goOn(tx);
    await deleteJobsOf(tx);
    await deleteRealm(tx);
  });
});

/** Schedules the deletion of everything after a number of days. */
export function removeLater(tx: RealmWriteTx, days: number): Promise<void> {
  const runAt = tx.now + days * SECONDS_PER_DAY;
  return enqueue(tx, removalJob, { isUnderWay: false }, { key: KEY, runAt });
}

/** Cancels the scheduled deletion. */
export async function removeNever(tx: RealmWriteTx): Promise<void> {
  await cancelJob(tx, removalJob, KEY);
}

/** Immediately deletes an organization that nobody could reach yet, such as an unfinished import. */
export async function removeUnfinished(context: Context, realmId: RealmId): Promise<void> {
  while (await removePiece(context, realmId));
  await context.store.of(realmId).write(async (tx) => {
    await deleteJobsOf(tx);
    await deleteRealm(tx);
  });
}

/** The first step: the organization loses its address, so that nobody can reactivate half of it. */
async function begin({ context, realmId, finish }: JobContext<Context>): Promise<void> {
  await context.store.of(realmId).write(async (tx) => {
    const { is_deactivated } = await lockRealm(tx);
    await finish(tx);
    if (!is_deactivated) return;
    await setRealmSubdomain(tx, goneName(realmId));
    await deleteJobsOf(tx);
    await goOn(tx);
  });
}

/** Name that replaces the subdomain; it is no valid host name label. */
const goneName = (realmId: RealmId): string => `~${realmId}`;

function goOn(tx: RealmWriteTx): Promise<void> {
  return enqueue(tx, removalJob, { isUnderWay: true }, { key: KEY });
}

/**
 * Deletes for a limited time and returns whether more may be left. Files come first, because finding them needs no
 * rows.
 */
async function removePiece(context: Context, realmId: RealmId): Promise<boolean> {
  const end = context.clock.monotonicMs() + PIECE_MS;
  const isOver = () => context.clock.monotonicMs() > end;
  const folders = [
    uploadKey(`${realmId}/`),
    thumbnailKey(String(realmId), ''),
    pictureKey(`${realmId}/`),
    exportsFolder(realmId),
  ];
  for (const folder of folders)
    for await (const { key } of context.files.list(folder)) {
      if (isOver()) return true;
      await context.files.remove(key);
    }
  for (const remove of removers(context, realmId))
    while ((await remove()) > 0) {
      if (isOver()) return true;
    }
  return false;
}

/**
 * Functions that each delete a batch of one table; messages come last, along with their entries in the search index.
 */
function removers(context: Context, realmId: RealmId): readonly (() => Promise<number>)[] {
  const others = tables().filter(({ name, columns }) => 'realm_id' in columns && name !== 'job' && name !== 'message');
  return [
    ...others.map((table) => () => removeRows(context.store, table, realmId, BATCH)),
    () => context.store.of(realmId).write((tx) => eraseSomeMessages(tx, BATCH)),
  ];
}
