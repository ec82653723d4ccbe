import { accessIn, findChannel, mayKnow } from '#features/channels';
import { channelLink, countPeople, prepareMessage, sendPrepared, silentMention, topicLink } from '#features/messages';
import { queueDirectNotices } from '#features/notices';
import { withRealm } from '#features/realms';
import { findActor, findUsers } from '#features/users';
import type { Actor, ActorReadTx, RealmRefReadTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { ApiError, RateLimited } from '#kernel/errors';
import { defineJob, enqueue, type JobContext } from '#kernel/jobs';
import { refusalIn } from '#kernel/refusals';
import { scheduledRemoved, scheduledUpdated } from './events.ts';
import { destinationOf } from './place.ts';
import { findScheduled, setMessage, setScheduled } from './queries.ts';
import type { ScheduledId, ScheduledRow } from './tables.ts';
import { toWireScheduled } from './wire.ts';
import { wordsOf } from './words.ts';

/** Seconds after its time when a message is too late to be sent. See protocol/wire#limits. */
const MAX_LATE_SECONDS = 600;
const TOO_LATE = 'Message could not be sent at the scheduled time.';

type Delivery = JobContext<Context>;

/** Key of a scheduled message's only job. */
export const keyOf = (id: ScheduledId): string => String(id);

/**
 * Sends a message at its time, exactly once: the job ends in the transaction that stores it.
 * See protocol/saved#delivery.
 */
export const deliveryJob = defineJob<{ readonly id: ScheduledId }, Context>(
  'scheduled-message',
  async ({ id }, job) => {
    const { context, realmId } = job;
    const due = await context.store.of(realmId).query((tx) => findScheduled(tx, id));
    // The message may have been changed after its job was taken; then it has another job.
    if (!due || due.delivered_at !== null || due.failed || due.deliver_at > context.clock.now()) return;
    const owner = await context.store.of(realmId).query(async (tx) => ownerOf(await withRealm(context, tx), due));
    if (!owner) return fail(job, due, 'The organization or the account is deactivated.');
    if (context.clock.now() - due.deliver_at > MAX_LATE_SECONDS) return fail(job, due, TOO_LATE, owner);
    const wait = await secondsToWait(context, owner, due);
    if (wait > 0) return postpone(job, id, wait);
    const reason = await send(job, owner, due);
    if (reason !== undefined) await fail(job, due, reason, owner);
  },
);

/**
 * Counts a message to many people against the limit of its owner, because any number may fall due in one minute. Returns
 * the seconds until it may be sent, 0 for now.
 */
async function secondsToWait(context: Context, owner: Actor, { recipient_ids }: ScheduledRow): Promise<number> {
  try {
    await countPeople(context, owner, { ids: recipient_ids });
    return 0;
  } catch (error) {
    if (!(error instanceof ApiError) || error.row !== RateLimited.row) throw error;
    return Math.ceil(Number(error.extra['retry-after']));
  }
}

/** Puts a new job for a message in place of this one. */
function postpone({ context, realmId, finish }: Delivery, id: ScheduledId, seconds: number): Promise<void> {
  return context.store.of(realmId).write(async (tx) => {
    await finish(tx);
    await enqueue(tx, deliveryJob, { id }, { key: keyOf(id), runAt: tx.now + seconds });
  });
}

/** The present owner of a message; undefined if they can no longer send anything. */
async function ownerOf(tx: RealmRefReadTx, { user_id, client }: ScheduledRow): Promise<Actor | undefined> {
  return tx.realm.isDeactivated ? undefined : findActor(tx, user_id, client);
}

/** Sends a message with its owner's present permissions; returns why it was refused, if it was. */
async function send({ context, finish }: Delivery, owner: Actor, row: ScheduledRow): Promise<string | undefined> {
  try {
    const draft = { content: row.content, isRead: row.is_read_by_sender };
    const outgoing = await prepareMessage(context, owner, draft);
    await context.store.as(owner).write(async (tx) => {
      if (!(await setScheduled(tx, row, { delivered_at: tx.now }))) return;
      const { message } = await sendPrepared(context, tx, outgoing, destinationOf(row));
      await setMessage(tx, row.id, message.id);
      const audience = { users: [owner.userId] };
      tx.emit(scheduledRemoved({ scheduled_message_id: row.id }, { audience }));
      await finish(tx);
    });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** Marks a message as failed and notifies its owner, if there still is one. */
async function fail({ context, finish }: Delivery, row: ScheduledRow, failure: string, owner?: Actor): Promise<void> {
  const notice = owner && (await failureNotice(context, owner, { ...row, failure }));
  await context.store.of(row.realm_id).write(async (tx) => {
    const failed = await setScheduled(tx, row, { failed: true, failure });
    if (!failed) return;
    await finish(tx);
    if (notice === undefined) return;
    const audience = { users: [row.user_id] };
    tx.emit(scheduledUpdated({ scheduled_message: toWireScheduled(failed) }, { audience }));
    await queueDirectNotices(tx, [{ userId: row.user_id, content: notice }]);
  });
}

/**
 * The notification bot's message to the owner of a message that could not be sent. See
 * protocol/saved#scheduled-messages.
 */
async function failureNotice(
  context: Context,
  owner: Actor,
  row: ScheduledRow & { readonly failure: string },
): Promise<string> {
  const place = await context.store.as(owner).query((tx) => placeName(tx, row));
  const time = `<time:${new Date(row.deliver_at * 1000).toISOString()}>`;
  return wordsOf(owner.realm).failed(time, place, refusalIn(owner.realm.language, row.failure));
}

/**
 * The place's name as far as the owner may know it now: a channel that they may no longer see may have been renamed.
 */
async function placeName(tx: ActorReadTx, row: ScheduledRow): Promise<string> {
  if (row.channel_id === null) return peopleNames(tx, row);
  const channel = await findChannel(tx, row.channel_id);
  if (!channel || !mayKnow(channel, await accessIn(tx, channel))) return wordsOf(tx.realm).channel;
  return row.topic === '' ? channelLink(channel) : topicLink(channel, row.topic);
}

async function peopleNames(tx: ActorReadTx, { recipient_ids }: ScheduledRow): Promise<string> {
  const people = [...(await findUsers(tx, recipient_ids)).values()];
  const seen = people.filter((person) => !tx.actor.viewer.hidden?.has(person.id));
  return seen.length === 0 ? wordsOf(tx.realm).people : seen.map(silentMention).join(', ');
}
