import { accessIn, findChannel, mayKnow } from '#features/channels';
import { prepareMessage, sendPrepared, silentMention, topicLink } from '#features/messages';
import { tellLater } from '#features/notices';
import { readRealm, realmRefOf } from '#features/realms';
import { actorOf, findUser, findUsers } from '#features/users';
import type { Actor, ActorReadTx, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { ApiError } from '#kernel/errors';
import type { RealmId } from '#kernel/ids';
import { defineJob, type JobContext } from '#kernel/jobs';
import { scheduledRemoved, scheduledUpdated } from './events.ts';
import { destinationOf } from './place.ts';
import { findScheduled, setMessage, setScheduled } from './queries.ts';
import type { ScheduledId, ScheduledRow } from './tables.ts';
import { toWireScheduled } from './wire.ts';

/** Seconds after which it is too late to send one. See protocol/wire#limits. */
const MAX_LATE_SECONDS = 600;
const TOO_LATE = 'Message could not be sent at the scheduled time.';

type Delivery = JobContext<Context>;

/** Name of the one job that a scheduled message has. */
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
    // It may have been changed after its job was taken; then it has another one.
    if (!due || due.delivered_at !== null || due.failed || due.deliver_at > context.clock.now()) return;
    const { realm, owner } = await peopleOf(context, realmId, due);
    if (!owner) return fail(job, due, 'The organization or the account is deactivated.');
    const reason = await send(job, owner, due);
    if (reason !== undefined) await fail(job, due, reason, { realm, owner });
  },
);

/** The owner of a message as they are today; undefined when they can send nothing any more. */
async function peopleOf(context: Context, realmId: RealmId, { user_id, client }: ScheduledRow) {
  return context.store.of(realmId).query(async (tx) => {
    const realm = realmRefOf(await readRealm(tx));
    const row = await findUser(tx, user_id);
    const owner: Actor | undefined =
      row?.is_active && !realm.isDeactivated ? { ...actorOf(row, realm, context.clock.now()), client } : undefined;
    return { realm, owner };
  });
}

/** Sends a message with its owner's present rights; why not, where that is refused. */
async function send({ context, finish }: Delivery, owner: Actor, row: ScheduledRow): Promise<string | undefined> {
  if (context.clock.now() - row.deliver_at > MAX_LATE_SECONDS) return TOO_LATE;
  try {
    const outgoing = await prepareMessage(context, owner, row.content, { isRead: row.is_read_by_sender });
    await context.store.as(owner).write(async (tx) => {
      if (!(await setScheduled(tx, row, { delivered_at: tx.now }))) return;
      const { message } = await sendPrepared(context, tx, outgoing, destinationOf(row));
      await setMessage(tx, row.id, message.id);
      const audience = { users: [owner.userId] };
      tx.emit(scheduledRemoved(owner.realmId, { scheduled_message_id: row.id }, { audience }));
      await finish(tx);
    });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** Marks a message as failed and tells its owner, if there still is one. */
async function fail(
  { context, finish }: Delivery,
  row: ScheduledRow,
  failure: string,
  people?: { readonly realm: RealmRef; readonly owner: Actor },
): Promise<void> {
  const notice = people && (await failureNotice(context, people.owner, row, failure));
  await context.store.of(row.realm_id).write(async (tx) => {
    const failed = await setScheduled(tx, row, { failed: true, failure });
    if (!failed) return;
    await finish(tx);
    if (notice === undefined) return;
    const audience = { users: [row.user_id] };
    tx.emit(scheduledUpdated(row.realm_id, { scheduled_message: toWireScheduled(failed) }, { audience }));
    await tellLater(context, tx, [{ userId: row.user_id, content: notice }]);
  });
}

/**
 * What the notification bot tells the owner of a message that could not be sent. See protocol/saved#scheduled-messages.
 */
async function failureNotice(context: Context, owner: Actor, row: ScheduledRow, reason: string): Promise<string> {
  const place = await context.store.as(owner).query((tx) => placeName(tx, row));
  const time = `<time:${new Date(row.deliver_at * 1000).toISOString()}>`;
  return `The message you scheduled for ${time} to ${place} could not be sent: ${reason}\n\n[View scheduled messages](#scheduled)`;
}

/** The place as its owner may know it today: a channel they may no longer see may have another name by now. */
async function placeName(tx: ActorReadTx, row: ScheduledRow): Promise<string> {
  if (row.channel_id === null) return peopleNames(tx, row);
  const channel = await findChannel(tx, row.channel_id);
  if (!channel || !mayKnow(channel, await accessIn(tx, channel))) return 'a channel';
  return row.topic === '' ? `#**${channel.name}**` : topicLink(channel, row.topic);
}

async function peopleNames(tx: ActorReadTx, { recipient_ids }: ScheduledRow): Promise<string> {
  const people = [...(await findUsers(tx, recipient_ids)).values()];
  const seen = people.filter((person) => !tx.actor.viewer.hidden?.has(person.id));
  return seen.length === 0 ? 'people' : seen.map(silentMention).join(', ');
}
