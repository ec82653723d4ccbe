import { describe, expect, it } from 'vitest';
import { asId, type UserId } from '#kernel/ids';
import { type Candidate, type Trigger, triggerFor, type Way } from './rules.ts';

/** Situations that are tried; `ROOST_TEST_SEED` chooses which. */
const SITUATIONS = 100_000;

/** Numbers in [0, 1) that follow from the seed (mulberry32). */
function chanceOf(): () => number {
  const chosen = process.env['ROOST_TEST_SEED'] ?? '1';
  let state = chosen === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(chosen);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** docs/protocol/notifications.md read aloud, with nothing of the code's tables: who is told, and why. */
function naive(way: Way, it: Candidate, isAway: boolean): Trigger | undefined {
  const { wishes, channel } = it;
  const isPush = way === 'push';
  if (isPush && it.isQuiet) return undefined;
  if (!isAway && !(isPush && wishes.enable_online_push_notifications)) return undefined;
  const offline = isPush ? wishes.enable_offline_push_notifications : wishes.enable_offline_email_notifications;
  if (!channel) return offline ? 'direct_message' : undefined;
  if (it.isMentioned && offline) return 'mentioned';
  const isFollowed = it.policy === 3;
  if (isFollowed && wishes.enable_followed_topic_wildcard_mentions_notify && offline) {
    if (it.isTopicMentioned) return 'topic_wildcard_mentioned_in_followed_topic';
    if (it.isChannelMentioned) return 'stream_wildcard_mentioned_in_followed_topic';
  }
  let isMuted = channel.is_muted;
  if (it.policy === 2 || it.policy === 3) isMuted = false;
  if (it.policy === 1) isMuted = true;
  const own = channel.wildcard_mentions_notify;
  const heedsAll = own === null ? wishes.wildcard_mentions_notify : own;
  if (!isMuted && heedsAll && offline) {
    if (it.isTopicMentioned) return 'topic_wildcard_mentioned';
    if (it.isChannelMentioned) return 'stream_wildcard_mentioned';
  }
  const follows = isPush
    ? wishes.enable_followed_topic_push_notifications
    : wishes.enable_followed_topic_email_notifications;
  if (isFollowed && follows) return 'followed_topic';
  const ofChannel = isPush ? channel.push_notifications : channel.email_notifications;
  const ofPerson = isPush ? wishes.enable_stream_push_notifications : wishes.enable_stream_email_notifications;
  return !isMuted && (ofChannel === null ? ofPerson : ofChannel) ? 'stream' : undefined;
}

describe(`the one decision (protocol/notifications#reasons)`, () => {
  it(`agrees with a naive reading of the page in ${SITUATIONS} random situations`, () => {
    const random = chanceOf();
    const coin = () => random() < 0.5;
    const maybe = () => (random() < 0.34 ? null : coin());
    const seen = new Set<string>();
    for (let index = 0; index < SITUATIONS; index++) {
      // A direct message has no topic that one could follow, and no `@all`.
      const isDirect = random() < 0.2;
      const candidate: Candidate = {
        userId: asId<UserId>(1),
        wishes: {
          enable_offline_push_notifications: coin(),
          enable_online_push_notifications: coin(),
          enable_followed_topic_push_notifications: coin(),
          enable_stream_push_notifications: coin(),
          enable_offline_email_notifications: coin(),
          enable_followed_topic_email_notifications: coin(),
          enable_stream_email_notifications: coin(),
          wildcard_mentions_notify: coin(),
          enable_followed_topic_wildcard_mentions_notify: coin(),
          email_notifications_batching_period_seconds: 120,
        },
        channel: isDirect
          ? undefined
          : {
              is_muted: coin(),
              push_notifications: maybe(),
              email_notifications: maybe(),
              wildcard_mentions_notify: maybe(),
            },
        policy: isDirect ? null : ([null, 1, 2, 3][Math.floor(random() * 4)] ?? null),
        isMentioned: random() < 0.3,
        isTopicMentioned: !isDirect && random() < 0.3,
        isChannelMentioned: !isDirect && random() < 0.3,
        isQuiet: random() < 0.2,
      };
      const isAway = coin();
      for (const way of ['push', 'email'] as const) {
        const decided = triggerFor(way, candidate, isAway);
        const expected = naive(way, candidate, isAway);
        if (decided !== expected) expect(decided, JSON.stringify({ way, isAway, candidate })).toBe(expected);
        seen.add(`${way} ${decided}`);
      }
    }
    // Each reason came up, and so did none, for each way.
    expect(seen.size).toBe(18);
  });
});
