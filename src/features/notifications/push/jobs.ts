import type { MessageRow } from '#features/messages';
import { type DeviceRow, MAX_PARCELS, mayHelpLater, type Parcel, type TokenRow } from '#features/push-devices';
import { hasSubscriptions } from '#features/push-subscriptions';
import type { MessageId, RealmId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { defineJob, type JobKind } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { inChunks, type WriteTx } from '#kernel/store';
import { findMessage } from '../decide.ts';
import { loadFor, type Recipient, type Removal, type Showing } from './parcels.ts';
import { aboutRealm, realmOf } from './payload.ts';
import { insertPushed, pushedAmong } from './queries.ts';
import { openRoad, type Road, sealedRoad } from './roads.ts';
import { defineShowingOnWeb, removeFromWebJob } from './web.ts';

/** People of one job. */
const PEOPLE_PER_JOB = 100;
/** Messages that one notification takes away: what the makers of phones carry ends at four kilobytes. */
const MAX_REMOVED = 200;

/** Whom a message is to be shown, by the kind of their apps; those who have both stand in both. */
export interface Audience {
  readonly sealed: readonly Recipient[];
  readonly open: readonly Recipient[];
  /** By browsers, and apps of UnifiedPush. */
  readonly web: readonly Recipient[];
}

/** Shows a message on the phones of some people. */
export const showJob = defineShowing('push-notification', sealedRoad);
export const showOlderJob = defineShowing('push-notification-older', openRoad);
/** Shows a message by the browsers of some people, and by their apps of UnifiedPush. */
export const showOnWebJob = defineShowingOnWeb(removeWhatWasRead);

/**
 * One request to the push service for each job, so that whatever happens to it is of no account to other devices. A
 * process that dies, or an answer that is lost, makes the request come again, as often as a job is tried.
 */
function defineShowing<D extends DeviceRow | TokenRow>(kind: string, road: Road<D>): JobKind<Showing, Context> {
  const job: JobKind<Showing, Context> = defineJob(
    kind,
    async (showing, { context, realmId, finish }) => {
      const { message_id, people, after } = showing;
      const message = context.pushGateway && (await findMessage(context, realmId, message_id));
      const load = message && (await loadFor(context, road, message, people, after));
      if (load) await send(context, realmId, road, load.parcels);
      await context.store.write(async (tx) => {
        await finish(tx);
        if (load?.next !== undefined) await context.jobs.enqueue(tx, realmId, job, { ...showing, after: load.next });
        else if (message) await removeWhatWasRead(context, tx, message, people);
      });
    },
    'slow',
  );
  return job;
}

/** Takes messages off somebody's phones; harmless when it is done twice. */
export const removeJob = defineJob<Removal, Context>(
  'push-removal',
  async ({ user_id, message_ids }, { context, realmId }) => {
    if (!context.pushGateway) return;
    const realm = await realmOf(context, realmId);
    const payload = { type: 'remove', ...aboutRealm(context, realm), user_id, message_ids };
    const remove = async <D extends DeviceRow | TokenRow>(road: Road<D>) => {
      const devices = await context.store.query((tx) => road.devices(tx, realmId, [user_id]));
      const parcels = devices.map((device): Parcel<D> => ({ device, payload, priority: 'normal' }));
      for (const chunk of inChunks(parcels, MAX_PARCELS)) await send(context, realmId, road, chunk);
    };
    await remove(sealedRoad);
    await remove(openRoad);
  },
  'slow',
);

/** Has a message shown on the phones of these people, in the transaction that decided so; to nobody twice. */
export async function showLater(context: Context, tx: WriteTx, message: MessageRow, audience: Audience): Promise<void> {
  const { sealed, open, web } = audience;
  const ids = [...new Set([...sealed, ...open, ...web].map(([userId]) => userId))];
  const added = await insertPushed(tx, message, ids);
  const enqueue = async (job: JobKind<Showing, Context>, people: readonly Recipient[]) => {
    const fresh = people.filter(([userId]) => added.has(userId));
    for (const chunk of inChunks(fresh, PEOPLE_PER_JOB))
      await context.jobs.enqueue(tx, message.realm_id, job, { message_id: message.id, people: chunk, after: 0 });
  };
  await enqueue(showJob, sealed);
  await enqueue(showOlderJob, open);
  await enqueue(showOnWebJob, web);
}

/** Has messages taken off phones, in the transaction that found them gone or read. */
export async function removeLater(
  context: Context,
  tx: WriteTx,
  realmId: RealmId,
  shown: readonly { readonly user_id: UserId; readonly message_id: MessageId }[],
): Promise<void> {
  const jobs = [
    ...(context.pushGateway ? [removeJob] : []),
    ...((await hasSubscriptions(tx, realmId)) ? [removeFromWebJob] : []),
  ];
  const byUser = grouped(shown.map((row) => [row.user_id, row.message_id]));
  for (const [user_id, ids] of byUser)
    for (const message_ids of inChunks(ids, MAX_REMOVED))
      for (const job of jobs) await context.jobs.enqueue(tx, realmId, job, { user_id, message_ids });
}

/** Hands parcels over; throws when trying again may help. What the service refuses is not tried again. */
async function send<D extends DeviceRow | TokenRow>(
  context: Context,
  realmId: RealmId,
  road: Road<D>,
  parcels: readonly Parcel<D>[],
): Promise<void> {
  if (parcels.length === 0) return;
  const answer = await road.send(context, realmId, parcels);
  if (mayHelpLater(answer)) throw new Error('the push service did not take notifications');
  if (answer.kind === 'refused')
    context.log
      .room('push')
      .warn({ status: answer.status, code: answer.code }, 'the push service refused notifications');
}

/** A message that was read while it was on its way would stay on the phone for ever. */
async function removeWhatWasRead(
  context: Context,
  tx: WriteTx,
  message: MessageRow,
  people: readonly Recipient[],
): Promise<void> {
  const ids = people.map(([userId]) => userId);
  const pushed = await pushedAmong(tx, message, ids);
  const gone = ids.filter((id) => !pushed.has(id)).map((user_id) => ({ user_id, message_id: message.id }));
  await removeLater(context, tx, message.realm_id, gone);
}
