import type { Actor, ActorReadTx } from '#kernel/auth';
import type { ChannelId, UserId } from '#kernel/ids';
import { isGuest } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { groupsOf } from '#features/groups';
import { findUser } from '#features/users';
import { type ChannelRow, findChannels, listChannels, readChannelValues, toWireChannel } from '../core/index.ts';
import { listSubscriptions } from '../members/index.ts';
import { mayKnow, mayRead } from '../rules.ts';

/** Which channels a list holds: the sum of what is included. See protocol/channels#reading-channels. */
export interface ListFilters {
  readonly include_public: boolean;
  readonly include_web_public: boolean;
  readonly include_subscribed: boolean;
  readonly exclude_archived: boolean;
  readonly include_all: boolean;
  readonly include_default: boolean;
  readonly include_owner_subscribed: boolean;
  readonly include_can_access_content: boolean;
}

/** Channels of the organization that the caller may know of and asked for, by name. */
export async function listForCaller(tx: ActorReadTx, filters: ListFilters) {
  const { actor } = tx;
  const subscribed = await subscribedTo(tx, actor.userId);
  const owned = filters.include_owner_subscribed ? await ownerSubscribedTo(tx) : new Set<ChannelId>();
  const groups = await groupsOf(tx, actor);
  const isWanted = (row: ChannelRow) => {
    if (row.is_archived && filters.exclude_archived) return false;
    const access = { role: actor.role, isSubscribed: subscribed.has(row.id), groups };
    if (!mayKnow(row, access)) return false;
    return (
      filters.include_all ||
      (filters.include_public && !row.invite_only && !isGuest(actor)) ||
      (filters.include_web_public && row.is_web_public) ||
      (filters.include_subscribed && access.isSubscribed) ||
      (filters.include_can_access_content && mayRead(row, access)) ||
      owned.has(row.id)
    );
  };
  const rows = (await listChannels(tx)).filter(isWanted);
  const values = await readChannelValues(tx, rows);
  return rows.map((row) => ({
    ...toWireChannel(row, tx.realm, values),
    ...(filters.include_default && { is_default: row.is_default }),
  }));
}

async function subscribedTo(tx: RealmReadTx, userId: Actor['userId']): Promise<ReadonlySet<ChannelId>> {
  const subscriptions = await listSubscriptions(tx, userId);
  return new Set(
    subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.channel_id),
  );
}

/**
 * IDs of the channels in use that a user is subscribed to and the caller may know of. See protocol/users#operations.
 */
export async function subscribedChannelsOf(tx: ActorReadTx, userId: UserId): Promise<ChannelId[]> {
  const { actor } = tx;
  const theirs = await subscribedTo(tx, userId);
  const own = await subscribedTo(tx, actor.userId);
  const groups = await groupsOf(tx, actor);
  const isShown = (row: ChannelRow) =>
    !row.is_archived && mayKnow(row, { role: actor.role, isSubscribed: own.has(row.id), groups });
  const rows = await findChannels(tx, [...theirs]);
  return [...rows.values()]
    .filter(isShown)
    .map((row) => row.id)
    .toSorted((a, b) => a - b);
}

/** Channels of the bot's owner; only bots have one. */
async function ownerSubscribedTo(tx: ActorReadTx): Promise<ReadonlySet<ChannelId>> {
  const owner = tx.actor.botOwnerId === null ? undefined : await findUser(tx, tx.actor.botOwnerId);
  if (!owner) return new Set();
  return subscribedTo(tx, owner.id);
}
