import { countHtml, countPeople, parseWidgetContent, prepareMessage, sendPrepared } from '#features/messages';
import { queueDirectNotices } from '#features/notices';
import { actorOf, findUser } from '#features/users';
import { ApiError } from '#kernel/errors';
import { defineJob, type JobContext } from '#kernel/jobs';
import { refusalIn } from '#kernel/refusals';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { type Call, prepareCall, type PreparedCall } from './prepare.ts';
import { type Outcome, request } from './request.ts';
import { english, type Fault, wordsOf } from './words.ts';

/** How often a call is repeated before its bot's owner is notified. See protocol/bots#outgoing-webhooks. */
const MAX_RETRIES = 3;
/** Client name of the answers. */
const CLIENT = 'OutgoingWebhookResponse';

/** A call that will be repeated; the job runner's back-off grows each time. */
class CallFailed extends Error {}

/**
 * Calls an outgoing webhook. The job ends in the transaction that stores the bot's answer, or the notice to its owner,
 * so that each is sent once, with any number of processes. See protocol/bots#outgoing-webhooks.
 */
export const callJob = defineJob<Call, Context>(
  'outgoing-webhook',
  async (payload, job) => {
    const call = await prepareCall(job.context, job.realmId, payload);
    if (!call) return;
    const outcome = await request(job.context, call);
    if (!('fault' in outcome)) return say(call, outcome, job);
    if (outcome.mayPass && job.attempts < MAX_RETRIES) throw new CallFailed(outcome.fault(english));
    await job.context.store.of(job.realmId).write((tx) => tellOwner(call, outcome.fault, job, tx));
  },
  'webhooks',
  { partyOf: ({ bot_id, owner_id }) => `owner ${owner_id ?? bot_id}` },
);

/** Posts the bot's answer to the message's conversation, with the bot's permissions. */
async function say(
  call: PreparedCall,
  { answer }: Extract<Outcome, { readonly answer: unknown }>,
  job: JobContext<Context>,
): Promise<void> {
  if (!answer) return;
  const { context } = job;
  const actor = { ...actorOf(call.bot.user, call.realm, context.clock.now()), client: CLIENT };
  try {
    const widget = parseWidgetContent(answer.widget);
    const outgoing = await prepareMessage(context, actor, { content: answer.content, ...(widget && { widget }) });
    await countHtml(context, outgoing);
    const destination = answer.isPrivate ? { people: { ids: [call.message.sender_id] } } : call.destination;
    if ('people' in destination) await countPeople(context, actor, destination.people);
    await context.store.of(actor.realmId).write(async (tx) => {
      await sendPrepared(context, tx, outgoing, destination);
      await job.finish(tx);
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fault: Fault = (words) => words.notPosted(refusalIn(call.realm.language, error.message).replace(/\.$/, ''));
    await context.store.of(actor.realmId).write((tx) => tellOwner(call, fault, job, tx));
  }
}

/**
 * Notifies the bot's owner, unless they have left, that a call has failed for good; also the person who gave a command,
 * because they wait for the answer.
 */
async function tellOwner(
  call: PreparedCall,
  fault: Fault,
  { finish }: JobContext<Context>,
  tx: RealmWriteTx,
): Promise<void> {
  await finish(tx);
  const { realm, message } = call;
  const { user } = call.bot;
  const owner = user.bot_owner_id === null ? undefined : await findUser(tx, user.bot_owner_id);
  const url = `${realm.url}/#narrow/id/${message.id}`;
  const name = `@_**${user.full_name}|${user.id}**`;
  const words = wordsOf(realm);
  const why = fault(words);
  const isWaiting = call.command !== undefined && message.sender_id !== owner?.id;
  await queueDirectNotices(tx, [
    ...(owner?.is_active ? [{ userId: owner.id, content: words.toOwner(url, name, why) }] : []),
    ...(isWaiting ? [{ userId: message.sender_id, content: words.toCaller(url, name, why) }] : []),
  ]);
}
