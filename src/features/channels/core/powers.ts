import type { ActorReadTx } from '#kernel/auth';
import { isAdministrator } from '#kernel/permissions';
import { channelSetting, type ChannelSettingName, holdsAmong, readRights, type Rights } from '#features/groups';
import type { ChannelAccess } from '../rules.ts';
import type { ChannelRow } from './tables.ts';

/** What a caller may do by the permissions of the organization and of channels, read once for a whole command. */
export interface Powers extends Rights {
  readonly isAdministrator: boolean;
  readonly holdsIn: (channel: ChannelRow, name: ChannelSettingName) => boolean;
  /** How the caller stands to a channel. */
  readonly access: (isSubscribed: boolean) => ChannelAccess;
}

export async function powersOf(tx: ActorReadTx): Promise<Powers> {
  const { actor } = tx;
  const rights = await readRights(tx);
  const { groups } = rights;
  return {
    ...rights,
    isAdministrator: isAdministrator(actor),
    holdsIn: (channel, name) => holdsAmong(groups, actor, channelSetting(name), channel[name]),
    access: (isSubscribed) => ({ role: actor.role, isSubscribed, groups }),
  };
}

/** Whether somebody who may read a channel may subscribe others to it. See protocol/channels#access. */
export function maySubscribeOthers(rights: Rights, channel: ChannelRow): boolean {
  const holdsIn = (name: 'can_administer_channel_group' | 'can_add_subscribers_group') =>
    holdsAmong(rights.groups, rights.actor, channelSetting(name), channel[name]);
  return (
    isAdministrator(rights.actor) ||
    rights.holds('can_add_subscribers_group') ||
    holdsIn('can_administer_channel_group') ||
    holdsIn('can_add_subscribers_group')
  );
}
