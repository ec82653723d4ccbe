import type { Actor } from '#kernel/auth';
import type { View } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import { isGuest } from '#kernel/permissions';
import type { StateContext } from '#kernel/state';
import { groupsOf } from '#features/groups';
import { type ChannelRow, listChannels, type SubscriptionRow } from '../core/index.ts';
import { mayKnow, mayRead, type ChannelAccess } from '../rules.ts';
import { listSubscriptionsFor } from '../members/index.ts';

/** Everything a viewer knows of channels, read once for all parts of the register response. */
export interface Known {
  readonly rows: readonly ChannelRow[];
  /** Whether `rows` includes a channel. */
  readonly has: (row: ChannelRow) => boolean;
  readonly subscriptions: ReadonlyMap<ChannelId, SubscriptionRow>;
  /** What the viewer may do with a channel to which this is their subscription. */
  readonly accessBy: (subscription: SubscriptionRow | undefined) => ChannelAccess;
}

/** What reading a viewer's channels needs: the transaction, and what the client asked for. */
export type SubscriptionsContext = Pick<StateContext, 'tx'> & {
  readonly view: Pick<View, 'archived_channels' | 'include_subscribers' | 'notification_settings_null'>;
};

/** The channels that a viewer may know of, by name; `all` are those of the realm where they have been read before. */
export async function readKnown({ tx, view }: SubscriptionsContext, all?: readonly ChannelRow[]): Promise<Known> {
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
  const isShown = (row: ChannelRow) => view.archived_channels || !row.is_archived;
  const isKnown = (row: ChannelRow) => mayKnow(row, accessBy(subscriptions.get(row.id)));
  const shown = (all ?? (await listChannels(tx))).filter(isShown);
  const rows = shown.filter(isKnown);
  // Most members know of every channel, and registering asks for each of them again.
  const has = rows.length === shown.length ? isShown : (row: ChannelRow) => isShown(row) && isKnown(row);
  return { rows, has, subscriptions, accessBy };
}

/** Whether a viewer may know who is subscribed to a channel. */
export function maySeeSubscribers(row: ChannelRow, actor: Actor, access: ChannelAccess): boolean {
  if (isGuest(actor)) return access.isSubscribed;
  return mayRead(row, access) || mayKnow(row, access);
}
