import type { ActorWriteTx } from '#kernel/auth';
import { InsufficientPermission } from '#kernel/errors';
import { lockLog } from '#kernel/events';
import type { ChannelId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { listBotIdsOf, NoSuchUser } from '#features/users';
import {
  type ChannelRow,
  findChannelsByName,
  findPrincipals,
  peopleUnsubscribed,
  type Powers,
  powersOf,
  type Principals,
} from '../core/index.ts';
import { listSubscriptionsOf } from '../members/index.ts';
import { mayKnow } from '../rules.ts';
import { ChannelsMissing } from './errors.ts';
import { recordOthers } from './record.ts';
import { removeSubscribers } from './remove.ts';

/** The result of unsubscribing: names of channels. */
export interface UnsubscribeAnswer {
  readonly removed: string[];
  readonly not_removed: string[];
}

/** Unsubscribes people from channels named. See protocol/subscriptions#unsubscribing. */
export async function unsubscribe(
  context: Context,
  tx: ActorWriteTx,
  input: { readonly names: readonly string[]; readonly principals: Principals },
): Promise<UnsubscribeAnswer> {
  await lockLog(tx);
  const powers = await powersOf(tx);
  const channels = await accessNamed(tx, powers, input.names);
  const people = await findPrincipals(tx, input.principals, tx.realm.host);
  const others = people.some((row) => row?.id !== tx.actor.userId && row?.bot_owner_id !== tx.actor.userId);
  if (others && !mayRemoveFrom(powers, channels)) throw InsufficientPermission();
  const known = people.map((row) => {
    if (!row) throw NoSuchUser();
    return row.id;
  });
  const outcome = await removeSubscribers(tx, channels, [...new Set(known)]);
  const unsubscribed = [...outcome.removed, ...(await removeBots(tx, channels, known))];
  recordOthers(tx, 'removed', unsubscribed);
  await peopleUnsubscribed.send(tx, { unsubscribed }, context);
  return { removed: namesOf(outcome.removed), not_removed: namesOf(outcome.absent) };
}

/**
 * Takes the bots of others out of private channels, too: who was put out has their keys, and would go on reading. Who
 * brings such a bot back decides that knowingly.
 */
async function removeBots(tx: ActorWriteTx, channels: readonly ChannelRow[], people: readonly UserId[]) {
  const others = people.filter((id) => id !== tx.actor.userId);
  const closed = channels.filter((channel) => channel.invite_only);
  if (others.length === 0 || closed.length === 0) return [];
  const bots = await listBotIdsOf(tx, others);
  return bots.length === 0 ? [] : (await removeSubscribers(tx, closed, bots)).removed;
}

/** The channels of these names that the caller may know of; all others are reported alike. */
async function accessNamed(tx: RealmReadTx, powers: Powers, sent: readonly string[]): Promise<readonly ChannelRow[]> {
  const names = sent.map((name) => name.trim());
  const found = await findChannelsByName(tx, names);
  const ids = [...found.values()].map((channel) => channel.id);
  const subscriptions = await listSubscriptionsOf(tx, [powers.actor.userId], ids);
  const own = new Set<ChannelId>(
    subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.channel_id),
  );
  const isKnown = (name: string) => {
    const channel = found.get(foldCase(name));
    return channel !== undefined && mayKnow(channel, powers.access(own.has(channel.id)));
  };
  const missing = names.filter((name) => !isKnown(name));
  if (missing.length > 0) throw ChannelsMissing({ names: missing.join(', ') });
  return [...found.values()];
}

/**
 * Whether the caller, who knows of all of these channels, may remove others from them. See protocol/channels#access.
 */
function mayRemoveFrom(powers: Powers, channels: readonly ChannelRow[]): boolean {
  if (powers.isAdministrator) return true;
  return (
    channels.every((channel) => powers.holdsIn(channel, 'can_administer_channel_group')) ||
    channels.every((channel) => powers.holdsIn(channel, 'can_remove_subscribers_group'))
  );
}

function namesOf(pairs: readonly { readonly channel: ChannelRow }[]): string[] {
  return [...new Set(pairs.map(({ channel }) => channel.name))];
}
