import type { WireChannel, WireNeverSubscribed, WireSubscription } from './wire.ts';

/** A client's state about channels. */
export interface ChannelsState {
  readonly streams: readonly WireChannel[];
  readonly subscriptions: readonly WireSubscription[];
  readonly unsubscribed: readonly WireSubscription[];
  readonly never_subscribed: readonly WireNeverSubscribed[];
}

interface Peers {
  readonly stream_ids: readonly number[];
  readonly user_ids: readonly number[];
}

type ChannelEvent =
  | { readonly type: 'stream'; readonly op: 'create'; readonly streams: readonly WireChannel[] }
  | { readonly type: 'stream'; readonly op: 'delete'; readonly stream_ids: readonly number[] }
  | ({ readonly type: 'stream'; readonly op: 'update' } & ChannelUpdate)
  | { readonly type: 'subscription'; readonly op: 'add'; readonly subscriptions: readonly WireSubscription[] }
  | {
      readonly type: 'subscription';
      readonly op: 'remove';
      readonly subscriptions: readonly { readonly stream_id: number }[];
    }
  | {
      readonly type: 'subscription';
      readonly op: 'update';
      readonly stream_id: number;
      readonly property: string;
      readonly value: unknown;
    }
  | ({ readonly type: 'subscription'; readonly op: 'peer_add' } & Peers)
  | ({ readonly type: 'subscription'; readonly op: 'peer_remove' } & Peers);

interface ChannelUpdate {
  readonly stream_id: number;
  readonly property: string;
  readonly value: unknown;
  readonly rendered_description?: string;
  readonly history_public_to_subscribers?: boolean;
  readonly is_web_public?: boolean;
}

/** The state of the user `me` after a `stream` or `subscription` event. */
export function applyChannelEvent(state: ChannelsState, event: ChannelEvent, me: number): ChannelsState {
  if (event.type === 'stream') {
    switch (event.op) {
      case 'create':
        return created(state, event.streams);
      case 'delete':
        return without(state, event.stream_ids);
      case 'update':
        return updated(state, event);
    }
  }
  switch (event.op) {
    case 'add':
      return joined(state, event.subscriptions);
    case 'remove':
      return event.subscriptions.reduce((next, { stream_id }) => left(next, stream_id, me), state);
    case 'update':
      return {
        ...state,
        subscriptions: patched(state.subscriptions, [event.stream_id], () => ({ [event.property]: event.value })),
      };
    default:
      return peers(state, event);
  }
}

interface HasId {
  readonly stream_id: number;
}

/** Applies a change to channels in every list that contains them. */
function everywhere(
  state: ChannelsState,
  ids: readonly number[],
  change: (channel: WireNeverSubscribed) => object,
): ChannelsState {
  return {
    streams: patched(state.streams, ids, (channel) => withoutLists(change(channel))),
    subscriptions: patched(state.subscriptions, ids, change),
    unsubscribed: patched(state.unsubscribed, ids, change),
    never_subscribed: patched(state.never_subscribed, ids, change),
  };
}

function patched<T extends HasId>(list: readonly T[], ids: readonly number[], change: (item: T) => object): T[] {
  return list.map((item) => (ids.includes(item.stream_id) ? { ...item, ...change(item) } : item));
}

/** Channels in the list `streams` have no subscribers. */
function withoutLists(change: object): object {
  return Object.fromEntries(
    Object.entries(change).filter(([name]) => name !== 'subscribers' && name !== 'partial_subscribers'),
  );
}

function created(state: ChannelsState, channels: readonly WireChannel[]): ChannelsState {
  const withSubscription = [...state.subscriptions, ...state.unsubscribed].map((one) => one.stream_id);
  const fresh = channels.filter((channel) => !withSubscription.includes(channel.stream_id));
  return {
    ...state,
    streams: byName([...state.streams, ...channels]),
    never_subscribed: byName([...state.never_subscribed, ...fresh.map((channel) => ({ ...channel, subscribers: [] }))]),
  };
}

function without(state: ChannelsState, ids: readonly number[]): ChannelsState {
  const keep = ({ stream_id }: HasId) => !ids.includes(stream_id);
  return {
    streams: state.streams.filter(keep),
    subscriptions: state.subscriptions.filter(keep),
    unsubscribed: state.unsubscribed.filter(keep),
    never_subscribed: state.never_subscribed.filter(keep),
  };
}

function updated(state: ChannelsState, update: ChannelUpdate): ChannelsState {
  const { stream_id, property, value, rendered_description, history_public_to_subscribers, is_web_public } = update;
  const next = everywhere(state, [stream_id], () => ({
    [property]: value,
    ...(rendered_description !== undefined && { rendered_description }),
    ...(history_public_to_subscribers !== undefined && { history_public_to_subscribers }),
    ...(is_web_public !== undefined && { is_web_public }),
  }));
  if (property !== 'name') return next;
  return {
    streams: byName(next.streams),
    subscriptions: byName(next.subscriptions),
    unsubscribed: byName(next.unsubscribed),
    never_subscribed: byName(next.never_subscribed),
  };
}

function joined(state: ChannelsState, subscriptions: readonly WireSubscription[]): ChannelsState {
  const ids = subscriptions.map((one) => one.stream_id);
  const rest = without(state, ids);
  const counts = new Map(subscriptions.map((one) => [Number(one.stream_id), one.subscriber_count]));
  return {
    ...rest,
    streams: patched(state.streams, ids, (one) => ({ subscriber_count: counts.get(one.stream_id) })),
    subscriptions: byName([...rest.subscriptions, ...subscriptions]),
  };
}

function left(state: ChannelsState, id: number, me: number): ChannelsState {
  const counted = peers(state, { op: 'peer_remove', stream_ids: [id], user_ids: [me] });
  const gone = counted.subscriptions.filter((one) => one.stream_id === id);
  return {
    ...counted,
    subscriptions: counted.subscriptions.filter((one) => one.stream_id !== id),
    unsubscribed: byName([...counted.unsubscribed, ...gone]),
  };
}

function peers(state: ChannelsState, event: Peers & { readonly op: 'peer_add' | 'peer_remove' }): ChannelsState {
  const { op, user_ids } = event;
  return everywhere(state, event.stream_ids, (channel) => {
    const list = channel.partial_subscribers ? 'partial_subscribers' : 'subscribers';
    const known: readonly number[] = channel[list] ?? [];
    const others = known.filter((id) => !user_ids.includes(id));
    return {
      ...(channel[list] && { [list]: op === 'peer_add' ? [...others, ...user_ids].toSorted((a, b) => a - b) : others }),
      subscriber_count: channel.subscriber_count + (op === 'peer_add' ? user_ids.length : -user_ids.length),
    };
  });
}

function byName<T extends { readonly name: string }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

/** The default channels after a `default_streams` event, which carries all of them. */
export function applyDefaultsEvent(
  _state: object,
  event: { readonly default_streams: readonly number[] },
): { realm_default_streams: readonly number[] } {
  return { realm_default_streams: event.default_streams };
}
