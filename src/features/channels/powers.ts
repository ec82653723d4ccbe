import type { Actor, RealmRef } from '#kernel/auth';
import { isAdministrator } from '#kernel/permissions';
import type { ReadTx } from '#kernel/store';
import { holdsAmong, readRights, type Rights } from '#features/groups';
import { mayRead, type ChannelAccess } from './rules.ts';
import { channelSetting, type ChannelSettingName } from './settings.ts';
import type { ChannelRow } from './tables.ts';

/** What a caller may do by the permissions of the organization and of channels, read once for a whole command. */
export interface Powers extends Rights {
  readonly isAdministrator: boolean;
  readonly holdsIn: (channel: ChannelRow, name: ChannelSettingName) => boolean;
  /** How the caller stands to a channel. */
  readonly access: (isSubscribed: boolean) => ChannelAccess;
}

export async function powersOf(tx: ReadTx, realm: RealmRef, actor: Actor): Promise<Powers> {
  const rights = await readRights(tx, realm, actor);
  const { groups } = rights;
  return {
    ...rights,
    isAdministrator: isAdministrator(actor),
    holdsIn: (channel, name) => holdsAmong(groups, actor, channelSetting(name), channel[name]),
    access: (isSubscribed) => ({ role: actor.role, isSubscribed, groups }),
  };
}

/** Whether the caller may subscribe others to a channel that exists. See protocol/channels#access. */
export function maySubscribeOthers(powers: Powers, channel: ChannelRow, isSubscribed: boolean): boolean {
  if (!mayRead(channel, powers.access(isSubscribed))) return false;
  return (
    powers.isAdministrator ||
    powers.holds('can_add_subscribers_group') ||
    powers.holdsIn(channel, 'can_administer_channel_group') ||
    powers.holdsIn(channel, 'can_add_subscribers_group')
  );
}
