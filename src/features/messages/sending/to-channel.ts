import {
  type ChannelRow,
  findChannel,
  findChannelsByName,
  InvalidChannelId,
  mayKnow,
  accessIn,
  touchChannel,
} from '#features/channels';
import { holdsInChannel } from '#features/groups';
import { readRealm, settingsOf } from '#features/realms';
import { findActor } from '#features/users';
import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import { holdLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { actingAs } from '#kernel/store';
import { EMPTY_TOPIC_NAME, foldCase } from '#kernel/text';
import {
  type ChannelAddress,
  ChannelIdMissing,
  ChannelNameMissing,
  EmptyTopicOnly,
  EmptyTopicRefused,
  hasTopic,
  insertMessage,
  NotAuthorizedToSend,
  PostingRefused,
  TopicCreationRefused,
} from '../core/index.ts';
import { deliver } from './deliver.ts';
import { assertMayMention, channelMentions } from './mentions.ts';
import type { Outgoing } from './outgoing.ts';
import { maySend } from './posting.ts';
import { messageColumns } from './rows.ts';
import type { Sent, TopicDestination } from './send.ts';

/**
 * Stores a message in a channel's topic, if its sender may post there. See protocol/messages#checks, steps 3, 7 and 8.
 */
export async function sendToChannel(
  context: Context,
  tx: ActorWriteTx,
  outgoing: Outgoing,
  destination: TopicDestination,
): Promise<Sent> {
  const { topic } = destination;
  const channel = await assertMaySendToChannel(tx, outgoing, destination);
  const mentions = await channelMentions(tx, outgoing, channel, topic);
  await assertMayMention(tx, outgoing, mentions);
  await holdLog(tx);
  const message = await insertMessage(tx, {
    ...messageColumns(outgoing, topic),
    recipient_id: channel.recipient_id,
    channel_id: channel.id,
  });
  await touchChannel(tx, channel, message.id);
  const audience = {
    channel: { id: channel.id, ...(channel.invite_only && { private: true as const }) },
    ...(!channel.invite_only && { listeners: true as const }),
    ...(mentions.delivered.length > 0 && { users: mentions.delivered }),
  };
  return deliver(context, tx, { outgoing, message, place: { channel }, channel, audience, mentions });
}

/** Finds the channel of a destination; throws unless the sender may post there, in this topic. */
export async function assertMaySendToChannel(
  tx: ActorReadTx,
  outgoing: Outgoing,
  destination: TopicDestination,
): Promise<ChannelRow> {
  const channel = await channelFor(tx, outgoing, destination.channel);
  if (!outgoing.sender.is_system_bot) await assertTopicAllowed(tx, channel, destination.topic);
  return channel;
}

/**
 * Finds the channel that an address names; throws unless the sender may post there. See protocol/messages#checks, steps
 * 3.2 and 3.3.
 */
async function channelFor(tx: ActorReadTx, outgoing: Outgoing, address: ChannelAddress): Promise<ChannelRow> {
  const { sender } = outgoing;
  const missing = () =>
    'id' in address ? ChannelIdMissing({ stream_id: address.id }) : ChannelNameMissing({ stream: address.name });
  const channel =
    'id' in address
      ? await findChannel(tx, address.id)
      : (await findChannelsByName(tx, [address.name])).get(foldCase(address.name));
  if (!channel) throw missing();
  if (!sender.is_system_bot) await assertMayPost(tx, channel, missing);
  return channel;
}

/**
 * Throws unless the actor may post in a channel; throws `missing` where they may not know of it. See
 * protocol/messages#checks.
 */
export async function assertMayPost(
  tx: ActorReadTx,
  channel: ChannelRow,
  missing: () => Error = InvalidChannelId,
): Promise<void> {
  const access = await accessIn(tx, channel);
  const own = await asOwner(tx);
  const ownerAccess = own && (await accessIn(own, channel));
  if (!mayKnow(channel, access) && !(ownerAccess && mayKnow(channel, ownerAccess))) throw missing();
  const holdsRight = (one: ActorReadTx) => holdsInChannel(one, channel, 'can_send_message_group');
  if (!(await holdsRight(tx)) && !(own && (await holdsRight(own)))) throw PostingRefused();
  if (!maySend(channel, access) && !(ownerAccess?.isSubscribed && !channel.is_archived))
    throw NotAuthorizedToSend({ name: channel.name });
}

/** The transaction as that of a bot's owner, whose permissions the bot may use. */
async function asOwner(tx: ActorReadTx): Promise<ActorReadTx | undefined> {
  const { actor } = tx;
  if (!actor.isBot || actor.botOwnerId === null) return undefined;
  const owner = await findActor(tx, actor.botOwnerId, actor.client);
  return owner && actingAs(tx, owner);
}

/** Throws unless the topic may be created and may have this name. See protocol/messages#checks, steps 3.4 and 3.5. */
async function assertTopicAllowed(tx: ActorReadTx, channel: ChannelRow, topic: string): Promise<void> {
  const mayBegin = await holdsInChannel(tx, channel, 'can_create_topic_group');
  if (!mayBegin && !(await hasTopic(tx, channel.recipient_id, topic))) throw TopicCreationRefused();
  const policy = await topicsPolicy(tx, channel, topic);
  if (policy === 'disable_empty_topic' && topic === '')
    throw EmptyTopicRefused({ empty_topic_display_name: EMPTY_TOPIC_NAME });
  if (policy === 'empty_topic_only' && topic !== '')
    throw EmptyTopicOnly({ empty_topic_display_name: EMPTY_TOPIC_NAME });
}

/**
 * The topics policy of a channel. The organization's policy concerns only the unnamed topic, so it is read only for
 * that one.
 */
async function topicsPolicy(tx: ActorReadTx, channel: ChannelRow, topic: string) {
  if (channel.topics_policy !== 'inherit' || topic !== '') return channel.topics_policy;
  return settingsOf(await readRealm(tx)).topics_policy;
}
