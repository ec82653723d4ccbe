import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { foldCase, topicShown } from '#kernel/text';

/** An unread message with what counting it needs. */
export interface Unread {
  readonly id: MessageId;
  readonly place:
    | { readonly channelId: ChannelId; readonly topic: string; readonly isMuted: boolean }
    | { readonly people: readonly UserId[] };
  /** Mentions the reader, by name or with a group. */
  readonly isMentioned: boolean;
  /** Mentions everybody in the channel, the conversation or the topic. */
  readonly isForAll: boolean;
}

interface Options {
  readonly self: UserId;
  readonly emptyTopicName: boolean;
  /** More unread messages exist than were counted. */
  readonly isCut: boolean;
}

/** Unread messages grouped the way clients count them. See protocol/flags#unread. */
export function toWireUnread(unread: readonly Unread[], { self, emptyTopicName, isCut }: Options) {
  const ascending = unread.toSorted((a, b) => a.id - b.id);
  const pms = new Map<UserId, MessageId[]>();
  const huddles = new Map<string, MessageId[]>();
  const streams = new Map<
    string,
    { stream_id: ChannelId; topic: string; key: string; unread_message_ids: MessageId[] }
  >();
  const listOf = (place: Unread['place']): MessageId[] => {
    if ('channelId' in place) {
      const { channelId, topic } = place;
      const key = foldCase(topic);
      const fresh = () => ({ stream_id: channelId, topic, key, unread_message_ids: [] });
      return entryOf(streams, `${channelId}:${key}`, fresh).unread_message_ids;
    }
    if (place.people.length > 2) return entryOf(huddles, place.people.join(','), () => []);
    return entryOf(pms, place.people.find((other) => other !== self) ?? self, () => []);
  };
  const known = new Map<Unread['place'], MessageId[]>();
  for (const { id, place } of ascending) {
    // Messages of one topic mostly share their place object, so only the first of them needs a look-up by name.
    const list = known.get(place) ?? listOf(place);
    known.set(place, list);
    list.push(id);
  }
  return {
    count: ascending.filter(counts).length,
    pms: [...pms]
      .toSorted(([a], [b]) => a - b)
      .map(([other, ids]) => ({ other_user_id: other, sender_id: other, unread_message_ids: ids })),
    streams: [...streams.values()]
      .toSorted((a, b) => a.stream_id - b.stream_id || compare(a.key, b.key))
      .map(({ stream_id, topic, unread_message_ids }) => ({
        stream_id,
        topic: topicShown(topic, emptyTopicName),
        unread_message_ids,
      })),
    huddles: [...huddles]
      .toSorted(([a], [b]) => compare(a, b))
      .map(([user_ids_string, unread_message_ids]) => ({ user_ids_string, unread_message_ids })),
    mentions: ascending.filter((one) => one.isMentioned || (one.isForAll && counts(one))).map((one) => one.id),
    old_unreads_missing: isCut,
  };
}

/** Whether a message counts: direct messages, and channel messages that are not muted. */
function counts({ place }: Unread): boolean {
  return !('channelId' in place && place.isMuted);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The value at a key; inserts a fresh one where there was none. */
function entryOf<K, V>(map: Map<K, V>, key: K, fresh: () => V): V {
  const known = map.get(key);
  if (known) return known;
  const value = fresh();
  map.set(key, value);
  return value;
}
