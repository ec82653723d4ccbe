import type { Actor } from '#kernel/auth';
import type { View } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import { onceFor } from '#kernel/lists';
import { isGuest } from '#kernel/permissions';
import type { StateContext } from '#kernel/state';
import { groupsOf } from '#features/groups';
import { type ChannelRow, listChannels, type SubscriptionRow } from '../core/index.ts';
import { mayKnow, mayRead, type ChannelAccess } from '../rules.ts';
import { listSubscriptionsFor } from '../members/index.ts';

/** What decides which channels a viewer knows of, and how. */
export interface Sight {
  /** Whether the viewer may know of a channel, and it is asked for. */
  readonly has: (row: ChannelRow) => boolean;
  readonly subscriptions: ReadonlyMap<ChannelId, SubscriptionRow>;
  /** What the viewer may do with a channel to which this is their subscription. */
  readonly accessBy: (subscription: SubscriptionRow | undefined) => ChannelAccess;
}

/** Everything a viewer knows of channels. */
export interface Known extends Sight {
  readonly rows: readonly ChannelRow[];
}

/** What reading a viewer's channels needs: the transaction, and what the client asked for. */
export type SubscriptionsContext = Pick<StateContext, 'tx'> & {
  readonly view: Pick<View, 'archived_channels' | 'include_subscribers' | 'notification_settings_null'>;
};

/** The channels that a viewer may know of, by name. */
export async function readKnown(input: SubscriptionsContext): Promise<Known> {
  const sight = await readSight(input);
  return { ...sight, rows: (await listChannels(input.tx)).filter(sight.has) };
}

/** What decides which channels a viewer may know of. */
async function readSight({ tx, view }: SubscriptionsContext): Promise<Sight> {
  const subscriptions = new Map(
    tx.actor
      ? (await listSubscriptionsFor(tx, tx.actor.userId, view)).map((subscription) => [
          subscription.channel_id,
          subscription,
        ])
      : [],
  );
  const groups = tx.actor ? await groupsOf(tx, tx.actor) : new Set<never>();
  const outside = { role: tx.actor?.role ?? null, isSubscribed: false, groups };
  const inside = { ...outside, isSubscribed: true };
  const accessBy = (subscription: SubscriptionRow | undefined) => (subscription?.is_subscribed ? inside : outside);
  const has = (row: ChannelRow) =>
    (view.archived_channels || !row.is_archived) && mayKnow(row, accessBy(subscriptions.get(row.id)));
  return { has, subscriptions, accessBy };
}

/** The same, read once for all parts of a register response. */
export const sightOf = onceFor((input: StateContext) => readSight(input));

/** Whether a caller is neither a guest nor a spectator. */
export function isMember(actor: Actor | null): boolean {
  return actor !== null && !isGuest(actor);
}

/** Whether a viewer may know who is subscribed to a channel. */
export function maySeeSubscribers(row: ChannelRow, actor: Actor, access: ChannelAccess): boolean {
  if (isGuest(actor)) return access.isSubscribed;
  return mayRead(row, access) || mayKnow(row, access);
}
