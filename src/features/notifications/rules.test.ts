import { describe, expect, it } from 'vitest';
import { asId, type UserId } from '#kernel/ids';
import { isQuiet } from './quiet.ts';
import { type Candidate, type Subscribed, triggerFor, type Wishes } from './rules.ts';

const wishes: Wishes = {
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_followed_topic_push_notifications: true,
  enable_stream_push_notifications: false,
  enable_offline_email_notifications: true,
  enable_followed_topic_email_notifications: true,
  enable_stream_email_notifications: false,
  wildcard_mentions_notify: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  email_notifications_batching_period_seconds: 120,
};
const plain: Subscribed = {
  is_muted: false,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
};
const MUTED = 1;
const UNMUTED = 2;
const FOLLOWED = 3;

function candidate({
  channel,
  wishes: own,
  ...rest
}: Omit<Partial<Candidate>, 'wishes' | 'channel'> & {
  wishes?: Partial<Wishes>;
  channel?: Partial<Subscribed>;
}): Candidate {
  return {
    userId: asId<UserId>(1),
    policy: null,
    isMentioned: false,
    isTopicMentioned: false,
    isChannelMentioned: false,
    isQuiet: false,
    ...rest,
    channel: { ...plain, ...channel },
    wishes: { ...wishes, ...own },
  };
}

/** What happens by push and by email to somebody who is away. */
const away = (given: Parameters<typeof candidate>[0]) => [
  triggerFor('push', candidate(given), true),
  triggerFor('email', candidate(given), true),
];
const both = (trigger: string | undefined) => [trigger, trigger];

describe('the people who are told of a channel message (protocol/notifications#reasons)', () => {
  it('is nobody who wants nothing of the channel', () => {
    expect(away({})).toEqual(both(undefined));
  });

  it('is those mentioned, muted or not, unless they want nothing while away', () => {
    expect(away({ isMentioned: true })).toEqual(both('mentioned'));
    expect(away({ isMentioned: true, channel: { is_muted: true } })).toEqual(both('mentioned'));
    expect(away({ isMentioned: true, policy: MUTED })).toEqual(both('mentioned'));
    expect(away({ isMentioned: true, wishes: { enable_offline_push_notifications: false } })).toEqual([
      undefined,
      'mentioned',
    ]);
    expect(away({ isMentioned: true, wishes: { enable_offline_email_notifications: false } })).toEqual([
      'mentioned',
      undefined,
    ]);
  });

  it('is for a mention of everybody those who heed such, by the channel first, then by their settings', () => {
    const all = { isChannelMentioned: true };
    expect(away(all)).toEqual(both('stream_wildcard_mentioned'));
    expect(away({ ...all, isTopicMentioned: true })).toEqual(both('topic_wildcard_mentioned'));
    expect(away({ ...all, wishes: { wildcard_mentions_notify: false } })).toEqual(both(undefined));
    expect(away({ ...all, channel: { wildcard_mentions_notify: false } })).toEqual(both(undefined));
    const against = { wishes: { wildcard_mentions_notify: false }, channel: { wildcard_mentions_notify: true } };
    expect(away({ ...all, ...against })).toEqual(both('stream_wildcard_mentioned'));
    expect(away({ ...all, channel: { is_muted: true } })).toEqual(both(undefined));
    expect(away({ ...all, channel: { is_muted: true }, policy: UNMUTED })).toEqual(both('stream_wildcard_mentioned'));
    expect(away({ ...all, policy: MUTED })).toEqual(both(undefined));
    expect(away({ ...all, wishes: { enable_offline_push_notifications: false } })).toEqual([
      undefined,
      'stream_wildcard_mentioned',
    ]);
  });

  it('is followers of the topic', () => {
    expect(away({ policy: FOLLOWED })).toEqual(both('followed_topic'));
    expect(away({ policy: FOLLOWED, channel: { is_muted: true } })).toEqual(both('followed_topic'));
    expect(away({ policy: FOLLOWED, wishes: { enable_followed_topic_push_notifications: false } })).toEqual([
      undefined,
      'followed_topic',
    ]);
    const quiet = { enable_followed_topic_wildcard_mentions_notify: false, wildcard_mentions_notify: false };
    expect(away({ policy: FOLLOWED, isChannelMentioned: true })).toEqual(
      both('stream_wildcard_mentioned_in_followed_topic'),
    );
    expect(away({ policy: FOLLOWED, isTopicMentioned: true })).toEqual(
      both('topic_wildcard_mentioned_in_followed_topic'),
    );
    expect(away({ policy: FOLLOWED, isTopicMentioned: true, wishes: quiet })).toEqual(both('followed_topic'));
  });

  it('is those who want to hear of the channel: muting first, then the channel, then the settings', () => {
    expect(away({ channel: { push_notifications: true } })).toEqual(['stream', undefined]);
    expect(away({ channel: { email_notifications: true } })).toEqual([undefined, 'stream']);
    expect(away({ wishes: { enable_stream_push_notifications: true } })).toEqual(['stream', undefined]);
    expect(away({ wishes: { enable_stream_email_notifications: true } })).toEqual([undefined, 'stream']);
    const loud = { push_notifications: true, email_notifications: true };
    expect(away({ channel: { ...loud, is_muted: true } })).toEqual(both(undefined));
    expect(away({ channel: { ...loud, is_muted: true }, policy: UNMUTED })).toEqual(both('stream'));
    expect(away({ channel: loud, policy: MUTED })).toEqual(both(undefined));
    expect(
      away({ channel: { push_notifications: false }, wishes: { enable_stream_push_notifications: true } }),
    ).toEqual(both(undefined));
  });
});

describe('quiet hours (protocol/notifications#quiet-hours)', () => {
  it('let no push through, and mails as ever', () => {
    expect(away({ isMentioned: true, isQuiet: true })).toEqual([undefined, 'mentioned']);
  });

  it('are hours of the day where the person is, and may go over midnight', () => {
    const at = (text: string) => Date.parse(text) / 1000;
    const quiet = (quiet_hours: string, timezone: string, text: string) => isQuiet({ quiet_hours, timezone }, at(text));
    expect(quiet('22:00-07:00', 'Europe/Berlin', '2026-01-10T20:59:59Z')).toBe(false);
    expect(quiet('22:00-07:00', 'Europe/Berlin', '2026-01-10T21:00:00Z')).toBe(true);
    expect(quiet('22:00-07:00', 'Europe/Berlin', '2026-01-11T05:59:59Z')).toBe(true);
    expect(quiet('22:00-07:00', 'Europe/Berlin', '2026-01-11T06:00:00Z')).toBe(false);
    // In summer the clock there is two hours ahead.
    expect(quiet('22:00-07:00', 'Europe/Berlin', '2026-07-10T20:00:00Z')).toBe(true);
    expect(quiet('12:30-13:00', '', '2026-07-10T12:45:00Z')).toBe(true);
    expect(quiet('12:30-13:00', '', '2026-07-10T13:00:00Z')).toBe(false);
    expect(quiet('08:00-08:00', '', '2026-07-10T08:00:00Z')).toBe(false);
    expect(quiet('', 'Asia/Tokyo', '2026-07-10T03:00:00Z')).toBe(false);
  });
});

describe('somebody who is here', () => {
  it('gets no mail, and a push only when wanted', () => {
    const here = (given: Parameters<typeof candidate>[0]) =>
      (['push', 'email'] as const).map((way) => triggerFor(way, candidate(given), false));
    expect(here({ isMentioned: true })).toEqual(['mentioned', undefined]);
    expect(here({ isMentioned: true, wishes: { enable_online_push_notifications: false } })).toEqual(both(undefined));
  });
});
