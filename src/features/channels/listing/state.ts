import type { ChannelId } from '#kernel/ids';
import { idOf, list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { isGuest } from '#kernel/permissions';
import { hasActor } from '#kernel/auth';
import { type Known, maySeeSubscribers, readKnown, type SubscriptionsContext } from './known.ts';
import {
  type ChannelRow,
  listChannels,
  personalFields,
  readChannelValues,
  type SubscriptionRow,
  toWireChannel,
} from '../core/index.ts';
import { PALETTE } from '../rules.ts';
import { sharedStreams } from './shared-streams.ts';
import { sharedSubscriptions } from './shared-subscriptions.ts';
import { readSubscribers, type ShownSubscribers, shownSubscribers } from '../members/index.ts';
import {
  wireChannel,
  type WireNeverSubscribed,
  wireNeverSubscribed,
  type WireSubscription,
  wireSubscription,
} from '../wire.ts';

/** The viewer's channels, those left, and those never joined. See protocol/subscriptions#lists-at-registering. */
export const subscriptionsState = registerState({
  fetchType: 'subscription',
  source: 'protocol/subscriptions#lists-at-registering',
  fields: {
    subscriptions: list(wireSubscription),
    unsubscribed: list(wireSubscription),
    never_subscribed: list(wireNeverSubscribed),
  },
  read: async (input): Promise<Readonly<Record<string, unknown>>> =>
    input.cached ? sharedSubscriptions(input, input.cached) : readSubscriptions(input),
});

/**
 * Channels by the viewer's subscription to them. A spectator gets web-public ones as if subscribed.
 * See protocol/register#spectators, protocol/subscriptions#lists-at-registering.
 */
export async function readSubscriptions(input: SubscriptionsContext): Promise<SubscriptionLists> {
  const { tx } = input;
  const known = await readKnown(input);
  const values = await readChannelValues(tx, known.rows);
  const lists = await subscriberLists(input, known);
  const full = (row: ChannelRow) => ({ ...toWireChannel(row, tx.realm, values), ...lists(row) });
  const personal = (row: ChannelRow, subscription: SubscriptionRow) => ({
    ...full(row),
    ...personalFields(subscription),
  });
  if (!tx.actor)
    return {
      subscriptions: known.rows.map((row, index) => ({ ...full(row), ...spectatorFields(index) })),
      unsubscribed: [],
      never_subscribed: [],
    };
  const withSubscription = known.rows.flatMap((row) => {
    const subscription = known.subscriptions.get(row.id);
    return subscription ? [{ row, subscription }] : [];
  });
  return {
    subscriptions: withSubscription
      .filter(({ subscription }) => subscription.is_subscribed)
      .map(({ row, subscription }) => personal(row, subscription)),
    unsubscribed: withSubscription
      .filter(({ subscription }) => !subscription.is_subscribed)
      .map(({ row, subscription }) => personal(row, subscription)),
    never_subscribed: known.rows.filter((row) => !known.subscriptions.has(row.id)).map(full),
  };
}

type SubscriptionLists = {
  readonly subscriptions: WireSubscription[];
  readonly unsubscribed: WireSubscription[];
  readonly never_subscribed: WireNeverSubscribed[];
};

/** Every channel the viewer may know of, subscribed or not. See protocol/subscriptions#lists-at-registering. */
export const channelsState = registerState({
  fetchType: 'stream',
  source: 'protocol/subscriptions#lists-at-registering',
  fields: { streams: list(wireChannel) },
  read: async (input): Promise<Readonly<Record<string, unknown>>> => {
    const { tx } = input;
    if (!tx.actor) return {};
    if (input.cached) return sharedStreams(input, input.cached);
    const known = await readKnown(input);
    const values = await readChannelValues(tx, known.rows);
    return { streams: known.rows.map((row) => toWireChannel(row, tx.realm, values)) };
  },
});

/** Default channels; none for guests and spectators. See protocol/register#organization-collections. */
export const defaultChannelsState = registerState({
  fetchType: 'default_streams',
  sameFor: ({ tx }) => `${tx.actor !== null && !isGuest(tx.actor)}`,
  source: 'protocol/register#organization-collections',
  fields: { realm_default_streams: list(idOf<ChannelId>()) },
  read: async ({ tx }) => {
    if (!tx.actor || isGuest(tx.actor)) return { realm_default_streams: [] };
    const rows = await listChannels(tx);
    return {
      realm_default_streams: rows
        .filter((row) => row.is_default && !row.is_archived)
        .map((row) => row.id)
        .toSorted((a, b) => a - b),
    };
  },
});

/**
 * Who is subscribed, as far as the client asked and the viewer may know. See protocol/subscriptions#subscriber-lists.
 */
async function subscriberLists(
  { tx, view }: SubscriptionsContext,
  known: Known,
): Promise<(row: ChannelRow) => ShownSubscribers> {
  if (view.include_subscribers === 'false' || !hasActor(tx)) return () => ({});
  const visible = known.rows.filter((row) =>
    maySeeSubscribers(row, tx.actor, known.accessBy(known.subscriptions.get(row.id))),
  );
  const ids = visible.map((row) => row.id);
  const { lists, recent } = await readSubscribers(tx, ids, view.include_subscribers);
  return (row) => shownSubscribers(lists.get(row.id) ?? [], recent, tx.actor.userId);
}

/** What a spectator gets in place of personal properties. See protocol/register#spectators. */
function spectatorFields(index: number) {
  return {
    is_muted: false,
    in_home_view: true,
    pin_to_top: false,
    desktop_notifications: true,
    email_notifications: true,
    push_notifications: true,
    audible_notifications: true,
    wildcard_mentions_notify: true,
    color: PALETTE[index % PALETTE.length] ?? '#c2c2c2',
  };
}
