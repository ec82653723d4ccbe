import { EMPTY_TOPIC_NAME } from '#kernel/text';
import type { ActorReadTx } from '#kernel/auth';
import type { ChannelId } from '#kernel/ids';
import { isModerator } from '#kernel/permissions';
import {
  accessChannelContent,
  type ChannelRow,
  findChannel,
  InvalidChannelId,
  mayAdminister,
  mayRead,
  accessIn,
} from '#features/channels';
import { holdsInChannel, holdsInRealm } from '#features/groups';
import {
  EmptyTopicOnly,
  EmptyTopicRefused,
  hasTopic,
  maySend,
  type MessageRow,
  NotAuthorizedToSend,
  PostingRefused,
  TopicCreationRefused,
} from '#features/messages';
import { type RealmRow, settingsOf } from '#features/realms';
import * as errors from './errors.ts';
import type { Move, PropagateMode } from './plan.ts';
import { isTooOld } from './rules.ts';
import { headsInTopic } from './survey.ts';

/** A requested move; undefined members stay. */
export interface Moving {
  /** The organization's row. */
  readonly row: RealmRow;
  readonly message: MessageRow;
  readonly source: ChannelRow;
  readonly topic: string | undefined;
  readonly stream_id: ChannelId | undefined;
  readonly toggled: Move['toggled'];
  readonly mode: PropagateMode;
}

/** Throws unless the actor may give messages the requested topic. See protocol/editing#checks, checks 15 to 18. */
export async function assertMayRename(tx: ActorReadTx, moving: Moving): Promise<void> {
  const { row, message, source, topic, stream_id, toggled } = moving;
  const place = stream_id === undefined ? source : await findReadable(tx, stream_id);
  if (place) assertTopicAllowed(row, place, topic ?? message.topic);
  if (topic === undefined) return;
  if (!(await mayRename(tx, moving))) throw toggled ? errors.ResolvingRefused() : errors.EditingRefused();
  const { move_messages_within_stream_limit_seconds: limit } = settingsOf(row);
  if (hasTimePassed(tx, moving, limit)) throw errors.TopicTimePassed();
}

/**
 * Returns the target channel; throws unless the actor may move the messages there. See protocol/editing#checks, checks
 * 20 to 24.
 */
export async function assertMayMove(tx: ActorReadTx, moving: Moving): Promise<ChannelRow> {
  const { row, message, source, topic, stream_id, toggled, mode } = moving;
  let target = source;
  if (stream_id !== undefined) {
    const mayMoveOut =
      (await holdsInRealm(tx, 'can_move_messages_between_channels_group')) ||
      (await holdsInChannel(tx, source, 'can_move_messages_out_of_channel_group'));
    if (!mayMoveOut) throw errors.MovingRefused();
    target = await accessTarget(tx, stream_id);
    const { move_messages_between_streams_limit_seconds: limit } = settingsOf(row);
    if (hasTimePassed(tx, moving, limit)) throw errors.ChannelTimePassed();
  }
  if (mode === 'change_all' && !isModerator(tx.actor)) await assertAllYoung(tx, moving);
  if (!toggled) await assertMayBegin(tx, target, topic ?? message.topic);
  return target;
}

/** Whether the time limit for moving this message has passed; another check covers whole topics. Checks 18 and 22. */
function hasTimePassed(tx: ActorReadTx, { message, mode }: Moving, limit: number | null): boolean {
  return !isModerator(tx.actor) && mode !== 'change_all' && isTooOld(message.sent_at, limit, tx.now);
}

/** Checks 16 and 17. */
async function mayRename(tx: ActorReadTx, { source, toggled }: Moving): Promise<boolean> {
  if (await holdsInRealm(tx, toggled ? 'can_resolve_topics_group' : 'can_move_messages_between_topics_group'))
    return true;
  if (toggled) return holdsInChannel(tx, source, 'can_resolve_topics_group');
  if (await holdsInChannel(tx, source, 'can_move_messages_within_channel_group')) return true;
  return mayAdminister(source, await accessIn(tx, source, true));
}

/** Check 15: throws unless the channel allows a topic with this name. */
function assertTopicAllowed(row: RealmRow, channel: ChannelRow, topic: string): void {
  const policy = channel.topics_policy === 'inherit' ? settingsOf(row).topics_policy : channel.topics_policy;
  if (policy === 'disable_empty_topic' && topic === '')
    throw EmptyTopicRefused({ empty_topic_display_name: EMPTY_TOPIC_NAME });
  if (policy === 'empty_topic_only' && topic !== '')
    throw EmptyTopicOnly({ empty_topic_display_name: EMPTY_TOPIC_NAME });
}

/** Returns the channel if the actor may read it; only then its rules for topics are checked first. */
async function findReadable(tx: ActorReadTx, id: ChannelId): Promise<ChannelRow | undefined> {
  const channel = await findChannel(tx, id);
  if (!channel || channel.is_archived) return undefined;
  return mayRead(channel, await accessIn(tx, channel)) ? channel : undefined;
}

/** Check 21. */
async function accessTarget(tx: ActorReadTx, id: ChannelId): Promise<ChannelRow> {
  const { channel, access } = await accessChannelContent(tx, id);
  if (channel.is_archived) throw InvalidChannelId();
  if (!(await holdsInChannel(tx, channel, 'can_send_message_group'))) throw PostingRefused();
  if (!maySend(channel, access)) throw NotAuthorizedToSend({ name: channel.name });
  return channel;
}

/** Check 23: throws if a message of the topic that the actor sees is too old to move. */
async function assertAllYoung(tx: ActorReadTx, { row, message, topic, stream_id }: Moving): Promise<void> {
  const limits = settingsOf(row);
  const applying = [
    ...(topic === undefined ? [] : [limits.move_messages_within_stream_limit_seconds]),
    ...(stream_id === undefined ? [] : [limits.move_messages_between_streams_limit_seconds]),
  ].filter((limit) => limit !== null);
  if (applying.length === 0) return;
  const strictest = Math.min(...applying);
  const visible = await headsInTopic(tx, message);
  const young = visible.filter((one) => !isTooOld(one.sent_at, strictest, tx.now));
  const [first] = young;
  if (!first) throw errors.TopicMoveTimePassed();
  if (young.length < visible.length)
    throw errors.PartlyMovable({
      first_message_id_allowed_to_move: first.id,
      total_messages_in_topic: visible.length,
      total_messages_allowed_to_move: young.length,
    });
}

/** Check 24. */
async function assertMayBegin(tx: ActorReadTx, target: ChannelRow, topic: string): Promise<void> {
  if (await holdsInChannel(tx, target, 'can_create_topic_group')) return;
  if (!(await hasTopic(tx, target.recipient_id, topic))) throw TopicCreationRefused();
}
