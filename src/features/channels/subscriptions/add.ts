import type { RealmRef, RealmRefWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { ChannelId, UserId } from '#kernel/ids';
import { inTurn, tableOfFew } from '#kernel/lists';
import { inParts, type RealmWriteTx } from '#kernel/store';
import { announceVisibility, findUsers, readVisibility, type Visibility, type UserRow } from '#features/users';
import {
  guestsConcerned,
  insertPeriods,
  listSubscriptionsOf,
  newestMessageId,
  knowingBySubscription,
  subscribersOf,
  tellPeers,
  upsertSubscriptions,
  usedColors,
} from '../members/index.ts';
import { channelCreated, peersAdded, subscriptionAdded } from '../events.ts';
import {
  addToSubscriberCounts,
  type ChannelRow,
  personalFields,
  readChannelValues,
  type SubscriptionRow,
  toWireChannel,
} from '../core/index.ts';
import { channelsAtOnce, pickColor } from '../rules.ts';
import type { Pair } from './record.ts';

/** Colours in use by user: those that were read, and those assigned since. */
type UsedColors = Map<UserId, Set<string>>;

/** The outcome of subscribing. */
export interface Subscribed {
  readonly added: readonly Pair[];
  readonly already: readonly Pair[];
}

interface AddOptions {
  /** Colours that the request chose. */
  readonly colors?: ReadonlyMap<ChannelId, string>;
  /** Channels made in this transaction: their announcement reaches their subscribers too. */
  readonly created?: readonly ChannelRow[];
}

/**
 * Subscribes active users to channels, with the events of protocol/subscriptions#subscribing-effects. Rights have been
 * checked. The number of events follows the number of channels, not that of users. The number of statements follows
 * neither, until the work has to be done in parts (`channelsAtOnce`).
 */
export async function addSubscribers(
  tx: RealmRefWriteTx,
  channels: readonly ChannelRow[],
  userIds: readonly UserId[],
  options: AddOptions = {},
): Promise<Subscribed> {
  const used: UsedColors = new Map();
  const parts = await inParts(channels, channelsAtOnce(userIds), (some) =>
    addSome(tx, some, userIds, { ...options, used }),
  );
  return { added: parts.flatMap(({ added }) => added), already: parts.flatMap(({ already }) => already) };
}

async function addSome(
  tx: RealmRefWriteTx,
  channels: readonly ChannelRow[],
  userIds: readonly UserId[],
  { colors = new Map(), created = [], used }: AddOptions & { readonly used: UsedColors },
): Promise<Subscribed> {
  const position = await lockLog(tx);
  const channelIds = channels.map((channel) => channel.id);
  const subscriptions = await listSubscriptionsOf(tx, userIds, channelIds);
  const known = new Map(
    subscriptions.map((subscription) => [key(subscription.user_id, subscription.channel_id), subscription]),
  );
  const pairs = channels.flatMap((channel) => userIds.map((userId) => ({ userId, channel })));
  const isActive = (pair: Pair) => known.get(key(pair.userId, pair.channel.id))?.is_subscribed === true;
  const added = pairs.filter((pair) => !isActive(pair));
  if (added.length > 0) {
    const rows = await subscriptionRows(tx, added, known, { chosen: colors, used });
    const people = [...(await findUsers(tx, userIds)).values()];
    const visibility = await readVisibility(tx, await guestsConcerned(tx, channelIds, people));
    await upsertSubscriptions(tx, rows);
    await beginPeriods(tx, added, position);
    await announce(tx, { channels, people, created, visibility }, rows);
  }
  return { added, already: pairs.filter(isActive) };
}

function key(userId: UserId, channelId: ChannelId): string {
  return `${userId}:${channelId}`;
}

async function beginPeriods(tx: RealmWriteTx, added: readonly Pair[], position: number): Promise<void> {
  const after_message_id = await newestMessageId(tx);
  await insertPeriods(
    tx,
    added.map(({ userId, channel }) => ({
      realm_id: tx.realmId,
      channel_id: channel.id,
      user_id: userId,
      from_event_id: position,
      after_message_id,
    })),
  );
}

async function subscriptionRows(
  tx: RealmRefWriteTx,
  pairs: readonly Pair[],
  known: ReadonlyMap<string, SubscriptionRow>,
  { chosen, used }: { readonly chosen: ReadonlyMap<ChannelId, string>; readonly used: UsedColors },
): Promise<readonly SubscriptionRow[]> {
  const unknown = pairs.filter(({ userId, channel }) => !known.has(key(userId, channel.id)) && !used.has(userId));
  for (const [id, own] of await usedColors(tx, [...new Set(unknown.map(({ userId }) => userId))])) used.set(id, own);
  return pairs.map(({ userId, channel }) => {
    const before = known.get(key(userId, channel.id));
    if (before) return { ...before, is_subscribed: true };
    const own = used.get(userId) ?? new Set<string>();
    const color = chosen.get(channel.id) ?? pickColor(own, channel.recipient_id);
    own.add(color);
    return newSubscription(tx.realm, userId, channel.id, color);
  });
}

function newSubscription(realm: RealmRef, userId: UserId, channelId: ChannelId, color: string): SubscriptionRow {
  return {
    realm_id: realm.id,
    user_id: userId,
    channel_id: channelId,
    is_subscribed: true,
    color,
    is_muted: false,
    pin_to_top: false,
    desktop_notifications: null,
    email_notifications: null,
    push_notifications: null,
    audible_notifications: null,
    wildcard_mentions_notify: null,
  };
}

/** What an announcement is about: the channels as they were, who was to be subscribed, and what guests saw before. */
interface Announced {
  readonly channels: readonly ChannelRow[];
  readonly people: readonly UserRow[];
  readonly created: readonly ChannelRow[];
  readonly visibility: Visibility;
}

/**
 * Sends stream/create to users who did not know of the channels, subscription/add to new subscribers, peer_add to
 * others.
 */
async function announce(
  tx: RealmRefWriteTx,
  { channels: before, people, created, visibility }: Announced,
  rows: readonly SubscriptionRow[],
): Promise<void> {
  const newcomers = newcomersByChannel(rows);
  const joined = before.filter((channel) => newcomers.has(channel.id));
  const isNew = new Set(created.map((channel) => channel.id));
  const older = joined.filter((channel) => !isNew.has(channel.id));
  await announceChannels(tx, older, people, newcomers);
  const gains = new Map([...newcomers].map(([id, people]) => [id, people.size]));
  await addToSubscriberCounts(tx, gains);
  const channels = joined.map((channel) => ({
    ...channel,
    subscriber_count: channel.subscriber_count + (gains.get(channel.id) ?? 0),
  }));
  await announceSubscriptions(tx, channels, rows);
  await announceVisibility(tx, visibility);
  await tellPeers(
    tx,
    peersAdded,
    channels.map((channel) => ({ channel, userIds: [...(newcomers.get(channel.id) ?? [])] })),
  );
}

function newcomersByChannel(rows: readonly SubscriptionRow[]): ReadonlyMap<ChannelId, ReadonlySet<UserId>> {
  const newcomers = new Map<ChannelId, Set<UserId>>();
  for (const row of rows) {
    const known = newcomers.get(row.channel_id);
    if (known) known.add(row.user_id);
    else newcomers.set(row.channel_id, new Set([row.user_id]));
  }
  return newcomers;
}

/**
 * Sends channels to people who did not know of them before. See protocol/subscriptions#subscribing-effects, stream
 * create, second kind.
 */
async function announceChannels(
  tx: RealmRefWriteTx,
  channels: readonly ChannelRow[],
  people: readonly UserRow[],
  newcomers: ReadonlyMap<ChannelId, ReadonlySet<UserId>>,
): Promise<void> {
  const values = await readChannelValues(tx, channels);
  const changes = channels.map((channel) => ({
    channel,
    people: people.filter((person) => newcomers.get(channel.id)?.has(person.id)),
  }));
  const knowing = inTurn(await knowingBySubscription(tx, changes));
  for (const channel of channels) {
    const users = knowing();
    if (users.length === 0) continue;
    const streams = [toWireChannel(channel, tx.realm, values)];
    tx.emit(channelCreated({ streams, for_unarchiving: false }, { audience: { users } }));
  }
}

/** One event for all new subscribers; each gets the channels that are new to them, with their own properties. */
async function announceSubscriptions(
  tx: RealmRefWriteTx,
  channels: readonly ChannelRow[],
  rows: readonly SubscriptionRow[],
): Promise<void> {
  tx.emit(
    subscriptionAdded(await subscriptionPayload(tx, channels, rows), {
      audience: { users: [...new Set(rows.map((row) => row.user_id))] },
      memberships: channels.map((channel) => ({ channel_id: channel.id })),
    }),
  );
}

/** The payload of subscription/add: the channels once, and for each user the personal properties. */
export async function subscriptionPayload(
  tx: RealmRefWriteTx,
  channels: readonly ChannelRow[],
  rows: readonly SubscriptionRow[],
) {
  const values = await readChannelValues(tx, channels);
  const subscribers = await subscribersOf(
    tx,
    channels.map((channel) => channel.id),
  );
  const personal: Record<string, Record<string, ReturnType<typeof personalFields>>> = {};
  for (const row of rows) (personal[row.user_id] ??= tableOfFew())[row.channel_id] = personalFields(row);
  return {
    channels: channels.map((channel) => ({
      ...toWireChannel(channel, tx.realm, values),
      subscribers: [...(subscribers.get(channel.id) ?? [])],
    })),
    personal,
  };
}
