import { parseWidgetContent, prepareMessage, sendPrepared } from '#features/messages';
import { tellLater } from '#features/notices';
import { actorOf, findUser } from '#features/users';
import { ApiError } from '#kernel/errors';
import { defineJob, type JobContext } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { type Call, prepareCall, type PreparedCall } from './prepare.ts';
import { type Outcome, request } from './request.ts';

/** How often a call is made again before its bot's owner is told. See protocol/bots#outgoing-webhooks. */
const MAX_RETRIES = 3;
/** Name of the program that the answers come from. */
const CLIENT = 'OutgoingWebhookResponse';

/** A call that will be made again; the runner waits longer each time. */
class CallFailed extends Error {}

/**
 * Calls an outgoing webhook. The job ends in the transaction that stores the bot's answer, or the notice to its owner: each
 * is there once, however many processes there are. See protocol/bots#outgoing-webhooks.
 */
export const callJob = defineJob<Call, Context>(
  'outgoing-webhook',
  async (payload, job) => {
    const call = await prepareCall(job.context, job.realmId, payload);
    if (!call) return;
    const outcome = await request(job.context, call);
    if (!('fault' in outcome)) return say(call, outcome, job);
    if (outcome.mayPass && job.attempts < MAX_RETRIES) throw new CallFailed(outcome.fault);
    await job.context.store.of(job.realmId).write((tx) => tellOwner(call, outcome.fault, job, tx));
  },
  'slow',
);

/** Posts what the bot says where the message is, with the rights of the bot. */
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
    const outgoing = await prepareMessage(context, actor, answer.content, { ...(widget && { widget }) });
    const destination = answer.isPrivate ? { people: { ids: [call.message.sender_id] } } : call.destination;
    await context.store.of(actor.realmId).write(async (tx) => {
      await sendPrepared(context, tx, outgoing, destination);
      await job.finish(tx);
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await context.store
      .of(actor.realmId)
      .write((tx) => tellOwner(call, `its answer could not be posted: ${error.message}`, job, tx));
  }
}

/**
 * Tells the owner of a bot, who may have left, that a call has failed for good; and who gave a command, for they wait for it.
 */
async function tellOwner(
  call: PreparedCall,
  fault: string,
  { context, finish }: JobContext<Context>,
  tx: RealmWriteTx,
): Promise<void> {
  await finish(tx);
  const { realm, message } = call;
  const { user } = call.bot;
  const owner = user.bot_owner_id === null ? undefined : await findUser(tx, user.bot_owner_id);
  const url = `${context.realmUrl(realm)}/#narrow/id/${message.id}`;
  const name = `@_**${user.full_name}|${user.id}**`;
  const toOwner = `[A message](${url}) called the outgoing webhook of your bot ${name}, and ${fault}.`;
  const toCaller = `[Your command](${url}) did not reach the bot ${name}: ${fault}.`;
  const isWaiting = call.command !== undefined && message.sender_id !== owner?.id;
  await tellLater(context, tx, [
    ...(owner?.is_active ? [{ userId: owner.id, content: toOwner }] : []),
    ...(isWaiting ? [{ userId: message.sender_id, content: toCaller }] : []),
  ]);
}
