import type { Actor, ActorWriteTx } from '#kernel/auth';
import { ParameterMissing, ParametersIncompatible } from '#kernel/errors';
import { lockLog } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { foldCase, requestedTopic } from '#kernel/text';
import {
  accessChannel,
  accessChannelContent,
  type ChannelRow,
  findChannel,
  findChannelsByName,
  InvalidChannelId,
  mayKnow,
  accessIn,
} from '#features/channels';
import { holdsInChannel, holdsInRealm } from '#features/groups';
import { deleteMessages } from '#features/message-edits';
import { newestOfTopic } from '#features/messages';
import { DeletingTopicRefused, InvalidChannelName, TooManyPolicies, TopicNotMuted } from './errors.ts';
import { setPolicies } from './policies.ts';
import { countPolicies, findPolicy, listPoliciesFor, type TopicKey } from './queries.ts';
import { MAX_POLICIES } from './rules.ts';
import type { Policy } from './tables.ts';

/** Sets the actor's visibility policy of a topic; 0 for none. See protocol/topics#visibility-policies. */
export async function setPolicy(
  context: Context,
  actor: Actor,
  input: { readonly stream_id: ChannelId; readonly topic: string; readonly visibility_policy: Policy | 0 },
): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const { channel } = await accessChannel(tx, input.stream_id);
    const topic = { channel_id: channel.id, topic: requestedTopic(input.topic) };
    if (input.visibility_policy !== 0) await assertRoom(tx, topic);
    await setPolicies(tx, topic, [{ userId: actor.userId, policy: input.visibility_policy }]);
  });
}

/** A channel by ID or by name; old clients send the name. */
interface ChannelName {
  readonly stream_id: ChannelId | undefined;
  readonly stream: string | undefined;
}

/** Mutes or unmutes a topic. See protocol/topics#visibility-policies. */
export async function setMuted(
  context: Context,
  actor: Actor,
  input: ChannelName & { readonly topic: string; readonly op: 'add' | 'remove' },
): Promise<void> {
  const { stream_id, stream, op } = input;
  if (stream_id !== undefined && stream !== undefined)
    throw ParametersIncompatible({ parameters: 'stream_id, stream' });
  if (stream_id === undefined && stream === undefined) throw ParameterMissing({ var_name: 'stream_id' });
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const channel = await namedChannel(tx, input);
    if (!channel && op === 'remove') throw TopicNotMuted();
    if (!channel) throw stream === undefined ? InvalidChannelId() : InvalidChannelName({ name: stream });
    const topic = { channel_id: channel.id, topic: requestedTopic(input.topic) };
    // Unmuting changes nothing about a topic that is followed or unmuted.
    const current = await findPolicy(tx, actor.userId, topic);
    if (op === 'remove' && current?.visibility_policy !== MUTED) return;
    if (op === 'add') await assertRoom(tx, topic);
    await setPolicies(tx, topic, [{ userId: actor.userId, policy: op === 'add' ? MUTED : 0 }]);
  });
}

/**
 * Throws if the actor has the most policies that are allowed, because the register response contains all of them.
 * Automatic policies do not call this.
 */
async function assertRoom(tx: ActorWriteTx, topic: TopicKey): Promise<void> {
  const { userId } = tx.actor;
  if ((await countPolicies(tx, userId)) < MAX_POLICIES) return;
  if (!(await findPolicy(tx, userId, topic))) throw TooManyPolicies();
}

const MUTED = 1;

async function namedChannel(tx: ActorWriteTx, { stream_id, stream }: ChannelName): Promise<ChannelRow | undefined> {
  const channel =
    stream_id === undefined
      ? (await findChannelsByName(tx, [stream ?? ''])).get(foldCase(stream ?? ''))
      : await findChannel(tx, stream_id);
  if (!channel) return undefined;
  return mayKnow(channel, await accessIn(tx, channel)) ? channel : undefined;
}

/** Messages deleted by one request; the client repeats it for more. See protocol/topics#deleting. */
const DELETE_BATCH = 1000;

/** Deletes messages of a topic, newest first; returns false while some are left. See protocol/topics#deleting. */
export async function deleteTopic(
  context: Context,
  actor: Actor,
  { stream_id, topic_name }: { readonly stream_id: ChannelId; readonly topic_name: string },
): Promise<boolean> {
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const { channel } = await accessChannelContent(tx, stream_id);
    const right = 'can_delete_any_message_group';
    if (!(await holdsInRealm(tx, right)) && !(await holdsInChannel(tx, channel, right))) throw DeletingTopicRefused();
    const topic = requestedTopic(topic_name);
    const found = await newestOfTopic(tx, { recipient_id: channel.recipient_id, topic }, DELETE_BATCH + 1);
    await deleteMessages(context, tx, found.slice(0, DELETE_BATCH), actor.userId);
    if (found.length > DELETE_BATCH) return false;
    const key = { channel_id: channel.id, topic };
    const changes = (await listPoliciesFor(tx, key)).map((row) => ({
      userId: row.user_id,
      policy: 0 as const,
    }));
    await setPolicies(tx, key, changes);
    return true;
  });
}
