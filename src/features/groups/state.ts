import { REALM_GROUP_SETTINGS, type RealmGroupSettingName, readRealm } from '#features/realms';
import { bool, list } from '#kernel/schema';
import { registerState, type StateContext } from '#kernel/state';
import { listWireGroups } from './listing.ts';
import { groupsOf, holdsAmong } from './membership.ts';
import { wireGroup } from './wire.ts';

/** The organization's groups. See protocol/groups#group-object. */
export const groupsState = registerState({
  fetchType: 'realm_user_groups',
  sameFor: ({ view }) => `${view.include_deactivated_groups}`,
  source: 'protocol/groups#group-object',
  fields: { realm_user_groups: list(wireGroup) },
  read: async ({ tx, view }) => {
    const groups = await listWireGroups(tx);
    return {
      realm_user_groups: view.include_deactivated_groups ? groups : groups.filter((group) => !group.deactivated),
    };
  },
});

/** What the caller may create or do by the organization's permissions. See protocol/register#people. */
export const ownPermissionsState = registerState({
  fetchType: 'realm_user',
  source: 'protocol/register#people',
  fields: {
    can_create_public_streams: bool(),
    can_create_private_streams: bool(),
    can_create_web_public_streams: bool(),
    can_create_streams: bool(),
    can_subscribe_other_users: bool(),
    can_invite_others_to_realm: bool(),
  },
  read: async (input) => {
    const may = await permissionsOf(input);
    const publicly = may('can_create_public_channel_group');
    const privately = may('can_create_private_channel_group');
    const onTheWeb = may('can_create_web_public_channel_group');
    return {
      can_create_public_streams: publicly,
      can_create_private_streams: privately,
      can_create_web_public_streams: onTheWeb,
      can_create_streams: publicly || privately || onTheWeb,
      can_subscribe_other_users: may('can_add_subscribers_group'),
      can_invite_others_to_realm: may('can_invite_users_group'),
    };
  },
});

async function permissionsOf({ tx }: StateContext): Promise<(name: RealmGroupSettingName) => boolean> {
  const { actor } = tx;
  if (!actor) return () => false;
  const row = await readRealm(tx);
  const groups = await groupsOf(tx, actor);
  return (name) =>
    REALM_GROUP_SETTINGS.some((setting) => setting.name === name && holdsAmong(groups, actor, setting, row[name]));
}
