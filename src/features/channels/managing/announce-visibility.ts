import type { RealmRefWriteTx } from '#kernel/auth';
import type { RealmReadTx } from '#kernel/store';
import { groupsOf, type Person } from '#features/groups';
import { type ChannelRow, listChannels } from '../core/index.ts';
import { hideChannels, listSubscriptions, showChannels } from '../members/index.ts';
import { mayKnow } from '../rules.ts';

/**
 * Tells an account which channels it comes to know, and which it knows no more, by a change of its role. `before` and
 * `after` are the account under the two roles. See protocol/events#order, change a role.
 */
export async function announceVisibility(tx: RealmRefWriteTx, before: Person, after: Person): Promise<void> {
  const channels = await listChannels(tx);
  const known = await knownBy(tx, channels, before);
  const knows = await knownBy(tx, channels, after);
  const users = [after.userId];
  hideChannels(tx, { channels: channels.filter((one) => known.has(one) && !knows.has(one)), users });
  const gained = channels.filter((channel) => !known.has(channel) && knows.has(channel));
  await showChannels(tx, [{ channels: gained, users }]);
}

async function knownBy(
  tx: RealmReadTx,
  channels: readonly ChannelRow[],
  person: Person,
): Promise<ReadonlySet<ChannelRow>> {
  const subscriptions = await listSubscriptions(tx, person.userId);
  const own = new Set(
    subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.channel_id),
  );
  const groups = await groupsOf(tx, person);
  const access = (channel: ChannelRow) => ({ role: person.role, isSubscribed: own.has(channel.id), groups });
  return new Set(channels.filter((channel) => mayKnow(channel, access(channel))));
}
