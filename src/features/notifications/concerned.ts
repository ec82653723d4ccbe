import { listSubscriptionsOf } from '#features/channels';
import type { MessageHead } from '#features/messages';
import { settingsOf } from '#features/user-settings';
import type { ChannelId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { RealmReadTx } from '#kernel/store';
import type { Asked, Marked } from './marks.ts';
import { listHearers, listPeople, listPolicies, listSubscribers, participantsIn, type Topics } from './queries.ts';
import { isQuiet } from './quiet.ts';
import type { Candidate } from './rules.ts';

/** Most people per message in one pass. */
const PAGE = 1000;

/** A page of the people that a message may concern. */
interface People {
  readonly ids: readonly UserId[];
  /** The last ID of a full page; undefined when nobody is left. */
  readonly next: number | undefined;
}

/** A message, and a page of the people whom it may concern. */
export type Concerning = Marked & People;

/**
 * Finds the people whom messages may concern, by ID: for a direct message its conversation; for a channel message that
 * mentions everybody all subscribers; for others the people who are mentioned, follow the topic, or want notifications
 * of the channel or of all channels, subscribed or not.
 */
export async function readPeople(tx: RealmReadTx, marked: readonly Marked[]): Promise<readonly Concerning[]> {
  const direct = marked.filter(({ message }) => message.channel_id === null);
  const recipients = [...new Set(direct.map(({ message }) => message.recipient_id))];
  const participants = await participantsIn(tx, recipients);
  const hearersOf = await readHearers(tx, marked);
  const people = async ({ message, marks, after }: Marked) => {
    if (message.channel_id === null) return pageOf(participants.get(message.recipient_id) ?? [], after);
    if (message.mentions_channel) return subscribersAfter(tx, message.channel_id, after);
    return pageOf([...marks.mentioned, ...marks.topic, ...hearersOf(message)], after);
  };
  const concerning: Concerning[] = [];
  for (const one of marked) concerning.push({ ...one, ...(await people(one)) });
  return concerning;
}

function pageOf(people: readonly UserId[], after: number): People {
  const left = [...new Set(people)].filter((id) => id > after).toSorted((a, b) => a - b);
  const ids = left.slice(0, PAGE);
  return { ids, next: left.length > PAGE ? ids.at(-1) : undefined };
}

async function subscribersAfter(tx: RealmReadTx, channelId: ChannelId, after: number): Promise<People> {
  const ids = await listSubscribers(tx, channelId, { after, limit: PAGE });
  return { ids, next: ids.length === PAGE ? ids.at(-1) : undefined };
}

/** Finds out who wants to be notified of a message even without a mention. */
async function readHearers(
  tx: RealmReadTx,
  asked: readonly Asked[],
): Promise<(message: MessageHead) => readonly UserId[]> {
  const topics = topicsOf(asked.filter(({ message }) => !message.mentions_channel));
  if (topics.channelIds.length === 0) return () => [];
  const hearers = await listHearers(tx, topics);
  const byPlace = grouped(hearers.map((one) => [placeName(one.channel_id, one.topic_key), one.user_id]));
  return ({ channel_id, topic_key }) =>
    [placeName(channel_id, topic_key), placeName(channel_id, null), placeName(null, null)].flatMap(
      (place) => byPlace.get(place) ?? [],
    );
}

/** Map key for a topic, a whole channel, or all channels. */
function placeName(channelId: ChannelId | null, topicKey: string | null): string {
  return JSON.stringify([channelId, topicKey]);
}

function topicsOf(asked: readonly Asked[]): Topics {
  const channelIds = [...new Set(asked.flatMap(({ message }) => message.channel_id ?? []))];
  const topicKeys = [
    ...new Set(asked.flatMap(({ message }) => (message.channel_id === null ? [] : message.topic_key))),
  ];
  return { channelIds, topicKeys };
}

/**
 * Returns the facts that decide whether somebody is notified of a message; undefined if they did not receive it or
 * cannot be notified.
 */
type Weigh = (marked: Marked, id: UserId) => Candidate | undefined;

/** Reads, for all given messages and people at once, the facts that decide whether to notify them. */
export async function readWishes(tx: RealmReadTx, asked: readonly Asked[], ids: readonly UserId[]): Promise<Weigh> {
  const topics = topicsOf(asked);
  const wishes = new Map((await listPeople(tx, ids)).map((row) => [row.id, wishesOf(row)]));
  const subscriptions = await listSubscriptionsOf(tx, ids, topics.channelIds);
  const subscribed = new Map(
    subscriptions
      .filter((subscription) => subscription.is_subscribed)
      .map((subscription) => [subscriptionKey(subscription), subscription]),
  );
  const chosen = await listPolicies(tx, ids, topics);
  const policies = new Map(chosen.map((row) => [`${subscriptionKey(row)} ${row.topic_key}`, row.visibility_policy]));
  return ({ message: { channel_id, topic_key, sender_id }, marks }, userId) => {
    const person = wishes.get(userId);
    if (!person || userId === sender_id) return undefined;
    const name = channel_id === null ? '' : subscriptionKey({ channel_id, user_id: userId });
    const channel = subscribed.get(name);
    if (channel_id !== null && !channel) return undefined;
    return {
      userId,
      wishes: person,
      channel,
      policy: policies.get(`${name} ${topic_key}`) ?? null,
      isMentioned: marks.mentioned.has(userId),
      isTopicMentioned: channel !== undefined && marks.topic.has(userId),
      isChannelMentioned: channel !== undefined && marks.channel,
      isQuiet: isQuiet(person, tx.now),
    };
  };
}

/** Map key for a person's subscription of a channel. */
function subscriptionKey({
  channel_id,
  user_id,
}: {
  readonly channel_id: ChannelId;
  readonly user_id: UserId;
}): string {
  return `${channel_id} ${user_id}`;
}

function wishesOf({ user_settings, timezone }: Awaited<ReturnType<typeof listPeople>>[number]) {
  return settingsOf({ user_settings, timezone, ...NO_MATTER });
}

/** Settings that are stored elsewhere and do not matter here. */
const NO_MATTER = { email_address_visibility: 1 };
