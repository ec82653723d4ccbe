import type { ActorReadTx } from '#kernel/auth';
import { isAdministrator } from '#kernel/permissions';
import { channelSetting, type ChannelSettingName, holdsAmong, readRights, type Rights } from '#features/groups';
import { type ChannelAccess, mayAddSubscribers } from '../rules.ts';
import type { ChannelRow } from './tables.ts';

/** What a caller may do by the permissions of the organization and of channels, read once for a whole command. */
export interface Powers extends Rights {
  readonly isAdministrator: boolean;
  readonly holdsIn: (channel: ChannelRow, name: ChannelSettingName) => boolean;
  /** The caller's access to a channel. */
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

/** Whether a caller who may read a channel may subscribe others to it. */
export function maySubscribeOthers({ actor, groups, holds }: Rights, channel: ChannelRow): boolean {
  return mayAddSubscribers({
    isAdministrator: isAdministrator(actor),
    holds,
    holdsIn: (name) => holdsAmong(groups, actor, channelSetting(name), channel[name]),
  });
}
