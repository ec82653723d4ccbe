import { asId, type ChannelId, type MessageId, type UserId } from '#kernel/ids';
import { foldCase } from '#kernel/text';
import { toWireUnread, type Unread } from './reading/unread/rules.ts';

type UnreadMessages = ReturnType<typeof toWireUnread>;

/** The parts of a client's state about messages, and the parts that tell which messages are muted. */
interface MessagesState {
  readonly unread_msgs: UnreadMessages;
  readonly starred_messages: readonly number[];
  readonly subscriptions?: readonly { readonly stream_id: number; readonly is_muted: boolean }[];
  readonly user_topics?: readonly {
    readonly stream_id: number;
    readonly topic_name: string;
    readonly visibility_policy: number;
  }[];
}

type Detail =
  | { readonly type: 'private'; readonly mentioned?: true; readonly user_ids: readonly number[] }
  | { readonly type: 'stream'; readonly mentioned?: true; readonly stream_id: number; readonly topic: string };

type MessageEvent =
  | {
      readonly type: 'message';
      readonly flags: readonly string[];
      readonly message: {
        readonly id: number;
        readonly stream_id?: number;
        readonly subject: string;
        readonly display_recipient: string | readonly { readonly id: number }[];
      };
    }
  | {
      readonly type: 'update_message_flags';
      readonly op: 'add' | 'remove';
      readonly flag: string;
      readonly messages: readonly number[];
      readonly all: boolean;
      readonly message_details?: Readonly<Record<string, Detail>>;
    }
  | {
      readonly type: 'update_message';
      readonly message_id: number;
      readonly message_ids: readonly number[];
      readonly flags: readonly string[];
      readonly subject?: string;
      readonly new_stream_id?: number;
      readonly propagate_mode?: string;
    }
  | { readonly type: 'delete_message'; readonly message_ids: readonly number[] }
  | { readonly type: 'user_topic' | 'subscription' | 'stream' };

/** The unread and starred messages after an event; messages that are muted by then do not count as unread. */
export function applyMessageEvent(state: MessagesState, event: MessageEvent, me: number): Partial<MessagesState> {
  const changed = unreadAfter(unreadOf(state, asId<UserId>(me)), event, me);
  const options = { self: asId<UserId>(me), emptyTopicName: true, isCut: state.unread_msgs.old_unreads_missing };
  const starred_messages = starredAfter(state.starred_messages, event);
  return { unread_msgs: toWireUnread(withMuting(state, changed), options), starred_messages };
}

type EventOf<T extends MessageEvent['type']> = Extract<MessageEvent, { readonly type: T }>;

function unreadAfter(unread: readonly Unread[], event: MessageEvent, me: number): readonly Unread[] {
  switch (event.type) {
    case 'message':
      return event.flags.includes('read') ? unread : [...unread, received(event)];
    case 'delete_message':
      return dropped(unread, event.message_ids);
    case 'update_message':
      return unread.map((one) => updated(one, event));
    case 'update_message_flags':
      return marked(unread, event, me);
    default:
      return unread;
  }
}

function marked(unread: readonly Unread[], event: EventOf<'update_message_flags'>, me: number): readonly Unread[] {
  if (event.flag !== 'read') return unread;
  if (event.op === 'add') return event.all ? [] : dropped(unread, event.messages);
  const details = Object.entries(event.message_details ?? {});
  return [...unread, ...details.map(([id, detail]) => detailed(Number(id), detail, me))];
}

function received({ message, flags }: EventOf<'message'>): Unread {
  return { id: asId<MessageId>(message.id), place: placeOf(message), ...mentionsOf(flags) };
}

function starredAfter(starred: readonly number[], event: MessageEvent): readonly number[] {
  const without = (ids: readonly number[]) => starred.filter((id) => !ids.includes(id));
  if (event.type === 'delete_message') return without(event.message_ids);
  if (event.type !== 'update_message_flags' || event.flag !== 'starred') return starred;
  const others = without(event.messages);
  return event.op === 'remove' ? others : [...others, ...event.messages].toSorted((a, b) => a - b);
}

const dropped = (unread: readonly Unread[], ids: readonly number[]) => unread.filter(({ id }) => !ids.includes(id));

const channelPlace = (id: number, topic: string) => ({ channelId: asId<ChannelId>(id), topic, isMuted: false });
const people = (ids: readonly number[]) => ({ people: ids.map((id) => asId<UserId>(id)).toSorted((a, b) => a - b) });

function placeOf({ stream_id, subject, display_recipient }: EventOf<'message'>['message']): Unread['place'] {
  if (stream_id !== undefined) return channelPlace(stream_id, subject);
  return people(typeof display_recipient === 'string' ? [] : display_recipient.map(({ id }) => id));
}

const mentionsOf = (flags: readonly string[]) => ({
  isMentioned: flags.includes('mentioned'),
  isForAll: flags.includes('wildcard_mentioned'),
});

function updated(one: Unread, event: EventOf<'update_message'>): Unread {
  const mentions = one.id === event.message_id ? mentionsOf(event.flags) : {};
  const isMoved = 'channelId' in one.place && event.propagate_mode !== undefined && event.message_ids.includes(one.id);
  if (!isMoved || !('channelId' in one.place)) return { ...one, ...mentions };
  const place = channelPlace(event.new_stream_id ?? one.place.channelId, event.subject ?? one.place.topic);
  return { ...one, ...mentions, place };
}

function detailed(id: number, detail: Detail, me: number): Unread {
  const place =
    detail.type === 'stream' ? channelPlace(detail.stream_id, detail.topic) : people([...detail.user_ids, me]);
  return { id: asId<MessageId>(id), place, isMentioned: detail.mentioned === true, isForAll: false };
}

/** The unread messages of the register response as a flat list. */
function unreadOf({ unread_msgs }: MessagesState, self: UserId): readonly Unread[] {
  const mentions = new Set<number>(unread_msgs.mentions);
  const each = (ids: readonly MessageId[], place: Unread['place']) =>
    ids.map((id) => ({ id, place, isMentioned: mentions.has(id), isForAll: false }));
  return [
    ...unread_msgs.streams.flatMap((one) => each(one.unread_message_ids, channelPlace(one.stream_id, one.topic))),
    ...unread_msgs.pms.flatMap((one) => each(one.unread_message_ids, people([...new Set([one.other_user_id, self])]))),
    ...unread_msgs.huddles.flatMap((one) =>
      each(one.unread_message_ids, people(one.user_ids_string.split(',').map(Number))),
    ),
  ];
}

/** Leaves out messages of channels that the user is not subscribed to, and marks those that are muted. */
function withMuting(state: MessagesState, unread: readonly Unread[]): readonly Unread[] {
  const channels = new Map(state.subscriptions?.map((one) => [one.stream_id, one.is_muted]));
  const key = (id: number, topic: string) => `${id}:${foldCase(topic)}`;
  const policies = new Map(
    state.user_topics?.map((row) => [key(row.stream_id, row.topic_name), row.visibility_policy]),
  );
  return unread.flatMap((one) => {
    if (!('channelId' in one.place)) return [one];
    const { channelId, topic } = one.place;
    if (!channels.has(channelId)) return [];
    const policy = policies.get(key(channelId, topic)) ?? 0;
    const isMuted = policy === 1 || (policy === 0 && channels.get(channelId) === true);
    return [{ ...one, place: { channelId, topic, isMuted } }];
  });
}
