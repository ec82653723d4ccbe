import type { Actor, ActorReadTx } from '#kernel/auth';
import type { GroupId } from '#kernel/ids';
import {
  readRealm,
  realmGroupSetting,
  type RealmGroupSettingName,
  type RealmSettings,
  settingsOf,
} from '#features/realms';
import { groupsOf, holdsAmong } from './membership.ts';

/** Somebody's groups and rights in the organization, read once for a whole command. */
export interface Rights {
  readonly actor: Actor;
  readonly groups: ReadonlySet<GroupId>;
  readonly settings: RealmSettings;
  readonly holds: (name: RealmGroupSettingName) => boolean;
}

export async function readRights(tx: ActorReadTx): Promise<Rights> {
  const { actor } = tx;
  const row = await readRealm(tx);
  const groups = await groupsOf(tx, actor);
  const holds: Rights['holds'] = (name) => holdsAmong(groups, actor, realmGroupSetting(name), row[name]);
  return { actor, groups, settings: settingsOf(row), holds };
}
