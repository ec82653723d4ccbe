import type { ActorReadTx } from '#kernel/auth';
import { type ChannelRow, listSubscriptionsOf } from '#features/channels';
import { findGroups, holds, holdsInRealm, membersOf, userGroupSetting } from '#features/groups';
import { findUsers, type UserRow } from '#features/users';
import type { Flags } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { ChannelWildcardRefused, GroupMentionRefused, participantsIn, TopicWildcardRefused } from '../core/index.ts';
import type { Outgoing } from './outgoing.ts';

/** Most people in a channel or topic whom everybody may mention at once. See protocol/wire#limits. */
const WILDCARD_LIMIT = 15;
const GENERIC_BOT = 1;

/** Users whom a message concerns more than its other receivers. */
export interface Mentions {
  /** Receivers mentioned by name. */
  readonly named: readonly UserId[];
  /** Mentioned bots that receive it although they are not subscribed. */
  readonly delivered: readonly UserId[];
  /** Participants of the topic, if the topic is mentioned. */
  readonly topic: readonly UserId[];
  /** Receivers with a matching alert word. */
  readonly alerted: readonly UserId[];
  /** Receivers who have muted the sender: the message counts as read for them from the start. */
  readonly muting: readonly UserId[];
  /** How many people a mention of the whole channel reaches. */
  readonly channelSize: number;
  /** How many participants a mention of the topic means, whether or not they receive the message. */
  readonly topicSize: number;
}

/** Whom a channel message mentions. Only users named in it are looked up, however many are subscribed. */
export async function channelMentions(
  tx: ActorReadTx,
  outgoing: Outgoing,
  channel: ChannelRow,
  topic: string,
): Promise<Mentions> {
  const { rendered, mutedBy } = outgoing;
  const participants = rendered.mentionsTopic
    ? [...new Set([...(await participantsIn(tx, channel.recipient_id, topic)), tx.actor.userId])]
    : [];
  const singled = [...new Set([...rendered.mentionedUserIds, ...rendered.alertedUserIds, ...participants, ...mutedBy])];
  const receivers = await subscribedAmong(tx, channel, singled);
  const named = [...rendered.mentionedUserIds];
  const absent = named.filter((id) => !receivers.has(id));
  const delivered = absent.length === 0 ? [] : await genericBots(tx, absent);
  return {
    named: named.filter((id) => receivers.has(id) || delivered.includes(id)),
    delivered,
    topic: participants.filter((id) => receivers.has(id)),
    alerted: [...rendered.alertedUserIds].filter((id) => receivers.has(id)),
    muting: mutedBy.filter((id) => receivers.has(id)),
    channelSize: channel.subscriber_count,
    topicSize: participants.length,
  };
}

/** Whom a direct message mentions; a topic mention has no effect there. */
export function directMentions({ rendered, mutedBy }: Outgoing, people: readonly UserRow[]): Mentions {
  const receivers = new Set(people.map((person) => person.id));
  return {
    named: [...rendered.mentionedUserIds].filter((id) => receivers.has(id)),
    delivered: [],
    topic: [],
    alerted: [...rendered.alertedUserIds].filter((id) => receivers.has(id)),
    muting: mutedBy.filter((id) => receivers.has(id)),
    channelSize: 0,
    topicSize: 0,
  };
}

async function subscribedAmong(
  tx: ActorReadTx,
  channel: ChannelRow,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set();
  const subscriptions = await listSubscriptionsOf(tx, ids, [channel.id]);
  return new Set(
    subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.user_id),
  );
}

async function genericBots(tx: ActorReadTx, ids: readonly UserId[]): Promise<readonly UserId[]> {
  const rows = await findUsers(tx, ids);
  return ids.filter((id) => {
    const row = rows.get(id);
    return row?.is_active === true && row.bot_type === GENERIC_BOT && !row.is_system_bot;
  });
}

/** Throws unless the sender may make all mentions of the text. See protocol/messages#checks, steps 7 and 8. */
export async function assertMayMention(tx: ActorReadTx, outgoing: Outgoing, mentions: Mentions): Promise<void> {
  const { rendered, sender } = outgoing;
  if (sender.is_system_bot) return;
  const mayMentionMany = () => holdsInRealm(tx, 'can_mention_many_users_group');
  if (rendered.mentionsChannel && mentions.channelSize > WILDCARD_LIMIT && !(await mayMentionMany()))
    throw ChannelWildcardRefused();
  if (mentions.topicSize > WILDCARD_LIMIT && !(await mayMentionMany())) throw TopicWildcardRefused();
  await assertMayMentionGroups(tx, outgoing);
}

async function assertMayMentionGroups(tx: ActorReadTx, { rendered }: Outgoing): Promise<void> {
  const groups = await findGroups(tx, [...rendered.mentionedGroupIds]);
  for (const group of groups.values()) {
    if (!(await holds(tx, tx.actor, userGroupSetting('can_mention_group'), group.can_mention_group)))
      throw GroupMentionRefused({ name: group.name });
  }
}

/** The flags of a new message's event, with the users who get each. See protocol/messages#effects. */
export async function mentionFlags(tx: ActorReadTx, { rendered }: Outgoing, mentions: Mentions): Promise<Flags> {
  const grouped = await membersOf(tx, [...rendered.mentionedGroupIds]);
  const mentioned = [...new Set([...mentions.named, ...grouped])];
  const wildcard = rendered.mentionsChannel ? (true as const) : mentions.topic;
  return {
    ...(mentioned.length > 0 && { mentioned }),
    ...(rendered.mentionsChannel && { stream_wildcard_mentioned: true }),
    ...(mentions.topic.length > 0 && { topic_wildcard_mentioned: mentions.topic }),
    ...(mentions.alerted.length > 0 && { has_alert_word: mentions.alerted }),
    ...((wildcard === true || wildcard.length > 0) && { wildcard_mentioned: wildcard }),
  };
}
