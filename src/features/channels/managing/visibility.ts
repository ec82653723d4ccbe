import type { RealmRefReadTx } from '#kernel/auth';
import type { ChannelId, UserId } from '#kernel/ids';
import { isAdministrator, isGuest } from '#kernel/permissions';
import { listUsers, type UserRow } from '#features/users';
import { OPENING_METADATA } from '#features/groups';
import { knowingByGroups, subscribersOf } from '../members/index.ts';
import type { SettingChange } from './change-settings.ts';
import type { ChannelRow } from '../core/index.ts';

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
 * Everybody active who knows of each channel, one by one, with full members as of a time; for changes of who does. Its cost
 * follows the users.
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

/** See protocol/channels#access, metadata. */
function knowsByRole(channel: ChannelRow, user: UserRow): boolean {
  if (channel.is_web_public) return true;
  return channel.invite_only ? isAdministrator(user) : !isGuest(user);
}
