import { groupsHolding, groupsOf, membershipChanging, OPENING_METADATA, type Person } from '#features/groups';
import { listUsers, type UserRow } from '#features/users';
import type { RealmRefReadTx, RealmRefWriteTx } from '#kernel/auth';
import type { ChannelId, UserId } from '#kernel/ids';
import { without } from '#kernel/lists';
import { isAdministrator, isGuest } from '#kernel/permissions';
import { on } from '#kernel/slice';
import type { RealmReadTx } from '#kernel/store';
import { type ChannelRow, listChannels, privateChannelsShownBy } from '../core/index.ts';
import { hideChannels, knowingByGroups, listSubscriptions, showChannels, subscribersOf } from '../members/index.ts';
import { mayKnow } from '../rules.ts';
import type { SettingChange } from './change-settings.ts';

/** Whether a change may alter who knows of the channel. */
export function changesVisibility(
  channel: ChannelRow,
  patch: Partial<ChannelRow>,
  settings: readonly SettingChange[],
): boolean {
  if (patch.invite_only !== undefined || patch.is_web_public !== undefined) return true;
  return channel.invite_only && settings.some(({ name }) => OPENING_METADATA.includes(name));
}

/**
 * Lists the active users who know of each channel; `asOf` is the time that decides who is a full member. For changes of
 * who knows of a channel: the cost follows the number of users.
 */
export async function whoKnows(
  tx: RealmRefReadTx,
  channels: readonly ChannelRow[],
  asOf = tx.now,
): Promise<ReadonlyMap<ChannelId, ReadonlySet<UserId>>> {
  const users = (await listUsers(tx)).filter((user) => user.is_active && !user.is_system_bot);
  const ids = channels.map((channel) => channel.id);
  const subscribers = await subscribersOf(tx, ids);
  const closed = channels.filter((channel) => channel.invite_only);
  const byGroup = await knowingByGroups(tx, closed, asOf);
  const knowers = (channel: ChannelRow) => {
    const byRole = users.filter((user) => knowsByRole(channel, user)).map((user) => user.id);
    return new Set([...(subscribers.get(channel.id) ?? []), ...(byGroup.get(channel.id) ?? []), ...byRole]);
  };
  return new Map(channels.map((channel) => [channel.id, knowers(channel)]));
}

/** Whether somebody knows of a channel by their role alone. See protocol/channels#access, metadata. */
function knowsByRole(channel: ChannelRow, user: UserRow): boolean {
  if (channel.is_web_public) return true;
  return channel.invite_only ? isAdministrator(user) : !isGuest(user);
}

/**
 * Sends an account the channels that a change of its role lets it see, and removes those that it hides. `before` and
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

/**
 * Sends a private channel to people who join a group that lets its members know of it, and removes it for those who
 * leave the group. Nobody else gets an event, because the channel's own settings stay. See protocol/channels#access,
 * protocol/channels#update-events.
 */
export const visibilityFollowsGroups = on(membershipChanging, async (tx, { groupIds, asOf, afterwards }) => {
  const affected = await groupsHolding(tx, groupIds);
  const channels = await privateChannelsShownBy(tx, affected);
  if (channels.length === 0) return;
  const before = await whoKnows(tx, channels, asOf);
  afterwards(async (later) => {
    const after = await whoKnows(later, channels);
    const changes = channels.map((channel) => {
      const [known, knowing] = [before.get(channel.id) ?? NOBODY, after.get(channel.id) ?? NOBODY];
      return { channel, gaining: without(knowing, known), losing: without(known, knowing) };
    });
    for (const { channel, losing } of changes) hideChannels(later, { channels: [channel], users: losing });
    const gains = changes.filter(({ gaining }) => gaining.length > 0);
    await showChannels(
      later,
      gains.map(({ channel, gaining }) => ({ channels: [channel], users: gaining })),
    );
  });
});

const NOBODY: ReadonlySet<never> = new Set();
