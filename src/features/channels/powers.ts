import type { Actor, RealmRef } from '#kernel/auth';
import type { GroupId } from '#kernel/ids';
import { isAdministrator } from '#kernel/permissions';
import type { ReadTx } from '#kernel/store';
import { groupsOf, holdsAmong } from '#features/groups';
import {
  readRealm,
  realmGroupSetting,
  type RealmGroupSettingName,
  type RealmSettings,
  settingsOf,
} from '#features/realms';
import { mayRead, type Standing } from './rules.ts';
import { channelSetting, type ChannelSettingName } from './settings.ts';
import type { ChannelRow } from './tables.ts';

/** What a caller may do by the organization's permissions, read once for a whole command. */
export interface Powers {
  readonly actor: Actor;
  readonly groups: ReadonlySet<GroupId>;
  readonly settings: RealmSettings;
  readonly isAdministrator: boolean;
  readonly holds: (name: RealmGroupSettingName) => boolean;
  readonly holdsIn: (channel: ChannelRow, name: ChannelSettingName) => boolean;
  /** How the caller stands to a channel. */
  readonly standing: (isSubscribed: boolean) => Standing;
}

export async function powersOf(tx: ReadTx, realm: RealmRef, actor: Actor): Promise<Powers> {
  const row = await readRealm(tx, realm.id);
  const groups = await groupsOf(tx, realm, actor);
  return {
    actor,
    groups,
    settings: settingsOf(row),
    isAdministrator: isAdministrator(actor),
    holds: (name) => holdsAmong(groups, actor, realmGroupSetting(name), row[name]),
    holdsIn: (channel, name) => holdsAmong(groups, actor, channelSetting(name), channel[name]),
    standing: (isSubscribed) => ({ role: actor.role, isSubscribed, groups }),
  };
}

/** Whether the caller may subscribe others to a channel that exists. Contract operations 0.4. */
export function maySubscribeOthers(powers: Powers, channel: ChannelRow, isSubscribed: boolean): boolean {
  if (!mayRead(channel, powers.standing(isSubscribed))) return false;
  return (
    powers.isAdministrator ||
    powers.holds('can_add_subscribers_group') ||
    powers.holdsIn(channel, 'can_administer_channel_group') ||
    powers.holdsIn(channel, 'can_add_subscribers_group')
  );
}
