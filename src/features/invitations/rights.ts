import type { RealmRef } from '#kernel/auth';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { ChannelId, GroupId } from '#kernel/ids';
import { isAdministrator, isOwner, Role } from '#kernel/permissions';
import type { ReadTx } from '#kernel/store';
import { type ChannelRow, channelSetting, findChannels, listSubscriptions, mayRead } from '#features/channels';
import { findGroups, holdsAmong, type Rights, userGroupSetting } from '#features/groups';
import type { RealmGroupSettingName } from '#features/realms';
import {
  AdministratorNeeded,
  InvalidInviteChannel,
  InvalidInviteGroup,
  InviteGroupDeactivated,
  MayNotSubscribeOthers,
} from './errors.ts';

/** What an invitation brings, as far as rights depend on it. */
export interface Offer {
  readonly invite_as: number;
  readonly stream_ids: readonly ChannelId[];
  readonly group_ids: readonly GroupId[];
  readonly welcome_message_custom_text: string | null;
}

/** Contract operations 4.7, checks 3 to 5. */
export function assertMayInviteAs(rights: Rights, permission: RealmGroupSettingName, role: number): void {
  if (!rights.holds(permission)) throw InsufficientPermission();
  if (role === Role.owner && !isOwner(rights.actor)) throw OwnerRequired();
  if (role < rights.actor.role) throw AdministratorNeeded();
}

/** Contract operations 4.7, checks 7 to 10. */
export async function assertMayOffer(tx: ReadTx, realm: RealmRef, rights: Rights, offer: Offer): Promise<void> {
  await assertMayOfferChannels(tx, realm, rights, offer.stream_ids);
  await assertMayOfferGroups(tx, realm, rights, offer.group_ids);
  if (offer.welcome_message_custom_text !== null && !isAdministrator(rights.actor)) throw AdministratorNeeded();
}

async function assertMayOfferChannels(
  tx: ReadTx,
  realm: RealmRef,
  rights: Rights,
  ids: readonly ChannelId[],
): Promise<void> {
  if (ids.length === 0) return;
  const found = await findChannels(tx, realm.id, ids);
  const ties = await listSubscriptions(tx, realm.id, rights.actor.userId);
  const subscribed = new Set(ties.filter((tie) => tie.is_subscribed).map((tie) => tie.channel_id));
  const channels = ids.map((id) => {
    const channel = found.get(id);
    const standing = { role: rights.actor.role, isSubscribed: subscribed.has(id), groups: rights.groups };
    if (!channel || channel.is_archived || !mayRead(channel, standing)) throw InvalidInviteChannel({ id });
    return channel;
  });
  if (!channels.every((channel) => channel.is_default || maySubscribeOthers(rights, channel)))
    throw MayNotSubscribeOthers();
}

/** Whether somebody who may read a channel may subscribe others to it. Contract operations 0.4. */
function maySubscribeOthers(rights: Rights, channel: ChannelRow): boolean {
  const holdsIn = (name: 'can_administer_channel_group' | 'can_add_subscribers_group') =>
    holdsAmong(rights.groups, rights.actor, channelSetting(name), channel[name]);
  return (
    isAdministrator(rights.actor) ||
    rights.holds('can_add_subscribers_group') ||
    holdsIn('can_administer_channel_group') ||
    holdsIn('can_add_subscribers_group')
  );
}

async function assertMayOfferGroups(
  tx: ReadTx,
  realm: RealmRef,
  rights: Rights,
  ids: readonly GroupId[],
): Promise<void> {
  const found = await findGroups(tx, realm.id, ids);
  const holdsIn = (name: 'can_add_members_group' | 'can_manage_group', groupId: GroupId) =>
    holdsAmong(rights.groups, rights.actor, userGroupSetting(name), groupId);
  for (const id of ids) {
    const group = found.get(id);
    if (!group || group.group_kind === 'anonymous') throw InvalidInviteGroup();
    if (group.deactivated) throw InviteGroupDeactivated();
    const mayAdd =
      holdsIn('can_add_members_group', group.can_add_members_group) ||
      holdsIn('can_manage_group', group.can_manage_group) ||
      rights.holds('can_manage_all_groups');
    if (group.group_kind === 'system' || !mayAdd) throw InsufficientPermission();
  }
}
