import type { UserId } from '#kernel/ids';

/** Reasons to notify somebody of a message, the most important first. See protocol/notifications#reasons. */
export const TRIGGERS = [
  'direct_message',
  'mentioned',
  'topic_wildcard_mentioned_in_followed_topic',
  'stream_wildcard_mentioned_in_followed_topic',
  'topic_wildcard_mentioned',
  'stream_wildcard_mentioned',
  'followed_topic',
  'stream',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Channels of notification. */
export type Way = 'push' | 'email';

/** Personal settings that decide about notifications. */
export interface Wishes {
  readonly enable_offline_push_notifications: boolean;
  readonly enable_online_push_notifications: boolean;
  readonly enable_followed_topic_push_notifications: boolean;
  readonly enable_stream_push_notifications: boolean;
  readonly enable_offline_email_notifications: boolean;
  readonly enable_followed_topic_email_notifications: boolean;
  readonly enable_stream_email_notifications: boolean;
  readonly wildcard_mentions_notify: boolean;
  readonly enable_followed_topic_wildcard_mentions_notify: boolean;
  readonly email_notifications_batching_period_seconds: number;
}

/** A subscriber's settings of a channel; null members follow the personal settings. */
export interface Subscribed {
  readonly is_muted: boolean;
  readonly push_notifications: boolean | null;
  readonly email_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
}

/** Somebody who received a message, with everything that decides whether to notify them. */
export interface Candidate {
  readonly userId: UserId;
  readonly wishes: Wishes;
  /** Undefined for direct messages. */
  readonly channel: Subscribed | undefined;
  /** Their visibility policy of the topic: 1 muted, 2 unmuted, 3 followed. */
  readonly policy: number | null;
  /** By name or through a group. */
  readonly isMentioned: boolean;
  readonly isTopicMentioned: boolean;
  readonly isChannelMentioned: boolean;
  /** Whether it is within their quiet hours, without push. See protocol/notifications#quiet-hours. */
  readonly isQuiet: boolean;
}

const MUTED = 1;
const UNMUTED = 2;
const FOLLOWED = 3;

/** Whether the message is not muted, by the topic's policy or, without one, by the channel. */
function isHeard({ channel, policy }: Candidate): boolean {
  if (!channel || policy === MUTED) return false;
  return !channel.is_muted || policy === UNMUTED || policy === FOLLOWED;
}

function wantsWildcards(candidate: Candidate): boolean {
  const { channel, wishes } = candidate;
  return isHeard(candidate) && (channel?.wildcard_mentions_notify ?? wishes.wildcard_mentions_notify);
}

function wantsFollowedWildcards({ policy, wishes }: Candidate): boolean {
  return policy === FOLLOWED && wishes.enable_followed_topic_wildcard_mentions_notify;
}

/** The settings of each way: notifications while away, for followed topics, and for whole channels. */
const SETTINGS = {
  push: {
    away: (wishes: Wishes) => wishes.enable_offline_push_notifications,
    followed: (wishes: Wishes) => wishes.enable_followed_topic_push_notifications,
    channel: ({ channel, wishes }: Candidate) => channel?.push_notifications ?? wishes.enable_stream_push_notifications,
  },
  email: {
    away: (wishes: Wishes) => wishes.enable_offline_email_notifications,
    followed: (wishes: Wishes) => wishes.enable_followed_topic_email_notifications,
    channel: ({ channel, wishes }: Candidate) =>
      channel?.email_notifications ?? wishes.enable_stream_email_notifications,
  },
};

const HOLDS: Readonly<Record<Trigger, (candidate: Candidate, way: Way) => boolean>> = {
  direct_message: ({ channel, wishes }, way) => channel === undefined && SETTINGS[way].away(wishes),
  mentioned: ({ isMentioned, wishes }, way) => isMentioned && SETTINGS[way].away(wishes),
  topic_wildcard_mentioned_in_followed_topic: (candidate, way) =>
    candidate.isTopicMentioned && wantsFollowedWildcards(candidate) && SETTINGS[way].away(candidate.wishes),
  stream_wildcard_mentioned_in_followed_topic: (candidate, way) =>
    candidate.isChannelMentioned && wantsFollowedWildcards(candidate) && SETTINGS[way].away(candidate.wishes),
  topic_wildcard_mentioned: (candidate, way) =>
    candidate.isTopicMentioned && wantsWildcards(candidate) && SETTINGS[way].away(candidate.wishes),
  stream_wildcard_mentioned: (candidate, way) =>
    candidate.isChannelMentioned && wantsWildcards(candidate) && SETTINGS[way].away(candidate.wishes),
  followed_topic: ({ policy, wishes }, way) => policy === FOLLOWED && SETTINGS[way].followed(wishes),
  stream: (candidate, way) => isHeard(candidate) && SETTINGS[way].channel(candidate),
};

/** The reason to notify somebody in this way; undefined if there is none, or they must not be disturbed now. */
export function triggerFor(way: Way, candidate: Candidate, isIdle: boolean): Trigger | undefined {
  const mayDisturb = way === 'push' && candidate.wishes.enable_online_push_notifications;
  if ((!isIdle && !mayDisturb) || (way === 'push' && candidate.isQuiet)) return undefined;
  return TRIGGERS.find((trigger) => HOLDS[trigger](candidate, way));
}
