import { applyChannelEvent, type ChannelsState } from '#features/channels/apply';
import type { WireNeverSubscribed, WireSubscription } from '../../src/features/channels/wire.ts';
import { Table } from './table.ts';

type ChannelEvent = Parameters<typeof applyChannelEvent>[1];

/** A channel and the viewer's relation to it. */
export type Channel =
  | { readonly membership: 'subscribed' | 'unsubscribed'; readonly channel: WireSubscription }
  | { readonly membership: 'never'; readonly channel: WireNeverSubscribed };

const LISTS = { subscribed: 'subscriptions', unsubscribed: 'unsubscribed', never: 'never_subscribed' } as const;
const NOTHING: ChannelsState = { streams: [], subscriptions: [], unsubscribed: [], never_subscribed: [] };

/** All channels that the viewer may see. */
export class Channels {
  readonly table = new Table<Channel>();

  load(state: Partial<ChannelsState>): void {
    this.table.load(rowsOf({ ...NOTHING, ...state }));
  }

  /** Applies a `stream` or `subscription` event with the slice's function, to the channels that the event names. */
  apply(event: ChannelEvent, me: number): void {
    const ids = idsOf(event);
    const rows = ids.flatMap((id) => this.table.peek(id) ?? []);
    const listed = (membership: Channel['membership']) =>
      rows.filter((row) => row.membership === membership).map((row) => row.channel);
    // The cast is safe: each row came from the list of its kind.
    const state = Object.fromEntries([
      ['streams', []],
      ...Object.entries(LISTS).map(([membership, list]) => [list, listed(membership as Channel['membership'])]),
    ]) as ChannelsState;
    const after = new Map(rowsOf(applyChannelEvent(state, event, me)));
    for (const id of ids) {
      const row = after.get(id);
      if (row) this.table.set(id, row);
      else this.table.delete(id);
    }
  }
}

function rowsOf(state: ChannelsState): readonly (readonly [number, Channel])[] {
  return [
    ...state.never_subscribed.map((one) => [one.stream_id, { membership: 'never', channel: bare(one) }] as const),
    ...state.unsubscribed.map((one) => [one.stream_id, { membership: 'unsubscribed', channel: bare(one) }] as const),
    ...state.subscriptions.map((one) => [one.stream_id, { membership: 'subscribed', channel: bare(one) }] as const),
  ];
}

/**
 * Drops lists of subscribers, which views fetch when they show them: with a thousand channels they would be most of the
 * state.
 */
function bare<T extends WireNeverSubscribed>(channel: T): T {
  if (!channel.subscribers && !channel.partial_subscribers) return channel;
  const { subscribers: _all, partial_subscribers: _some, ...rest } = channel;
  return rest as T;
}

function idsOf(event: ChannelEvent): readonly number[] {
  if ('stream_ids' in event) return event.stream_ids;
  if ('streams' in event) return event.streams.map((channel) => channel.stream_id);
  if ('subscriptions' in event) return event.subscriptions.map((channel) => channel.stream_id);
  return [event.stream_id];
}
