import { type ChannelRow, findChannels, listSubscriptions, mayRead, maySubscribeOthers } from '#features/channels';
import { findGroups, type GroupRow, holdsAmong, readRights, type Rights, userGroupSetting } from '#features/groups';
import type { RealmGroupSettingName } from '#features/realms';
import { findActor } from '#features/users';
import type { RealmRefReadTx } from '#kernel/auth';
import { ApiError, InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { ChannelId, GroupId } from '#kernel/ids';
import { isAdministrator, isOwner, Role } from '#kernel/permissions';
import { actingAs, type RealmReadTx } from '#kernel/store';
import {
  AdministratorNeeded,
  InvalidInviteChannel,
  InvalidInviteGroup,
  InviteGroupDeactivated,
  MayNotSubscribeOthers,
} from './errors.ts';
import type { InvitationRow } from './tables.ts';

/** The parts of an invitation that need rights. */
export interface Offer {
  readonly invite_as: number;
  readonly stream_ids: readonly ChannelId[];
  readonly group_ids: readonly GroupId[];
  readonly welcome_message_custom_text: string | null;
}

/** See protocol/invitations#checks, checks 3 to 5. */
export function assertMayInviteAs(rights: Rights, permission: RealmGroupSettingName, role: number): void {
  if (!rights.holds(permission)) throw InsufficientPermission();
  if (role === Role.owner && !isOwner(rights.actor)) throw OwnerRequired();
  if (role < rights.actor.role) throw AdministratorNeeded();
}

/** The parts of an invitation that its inviter must have the right to offer. */
type Offered = Pick<InvitationRow, 'inviter_id' | 'channel_ids' | 'group_ids'>;

/** The channels and groups of invitations. */
interface Brought {
  readonly channelIds: readonly ChannelId[];
  readonly groupIds: readonly GroupId[];
}

/** The channels and groups of invitations, read once, and checks whether the caller may offer them. */
interface Offerable {
  /** Whether the channel exists and is not archived. */
  readonly isActiveChannel: (id: ChannelId) => boolean;
  readonly isActiveGroup: (id: GroupId) => boolean;
  assertChannels(ids: readonly ChannelId[]): void;
  assertGroups(ids: readonly GroupId[]): void;
}

/** See protocol/invitations#checks, checks 7 to 10. */
export async function assertMayOffer(tx: RealmReadTx, rights: Rights, offer: Offer): Promise<void> {
  const { stream_ids: channelIds, group_ids: groupIds } = offer;
  const offerable = await readOfferable(tx, rights, { channelIds, groupIds });
  offerable.assertChannels(channelIds);
  offerable.assertGroups(groupIds);
  if (offer.welcome_message_custom_text !== null && !isAdministrator(rights.actor)) throw AdministratorNeeded();
}

/**
 * Returns which invitations the caller could have made: a listed link can be used, so callers see only links with
 * rights that they could give themselves.
 */
export async function offerableOf(
  tx: RealmReadTx,
  rights: Rights,
  rows: readonly InvitationRow[],
): Promise<ReadonlySet<InvitationRow>> {
  const channelIds = [...new Set(rows.flatMap((row) => row.channel_ids))];
  const groupIds = [...new Set(rows.flatMap((row) => row.group_ids))];
  const offerable = await readOfferable(tx, rights, { channelIds, groupIds });
  const mayOffer = (row: InvitationRow) =>
    isAllowed(() => {
      offerable.assertChannels(row.channel_ids.filter(offerable.isActiveChannel));
      offerable.assertGroups(row.group_ids.filter(offerable.isActiveGroup));
    }) && row.invited_as >= rights.actor.role;
  return new Set(rows.filter(mayOffer));
}

/**
 * Returns the channels and groups of an invitation that its inviter could still offer: nobody who was removed from a
 * channel comes back through a link of their own. See protocol/invitations#joining.
 */
export async function stillOffered(
  tx: RealmRefReadTx,
  { inviter_id, channel_ids: channelIds, group_ids: groupIds }: Offered,
): Promise<Brought> {
  if (inviter_id === null) return { channelIds, groupIds };
  const inviter = await findActor(tx, inviter_id, 'invitation');
  if (!inviter) return { channelIds: [], groupIds: [] };
  const rights = await readRights(actingAs(tx, inviter));
  const offerable = await readOfferable(tx, rights, { channelIds, groupIds });
  return {
    channelIds: channelIds.filter((id) => isAllowed(() => offerable.assertChannels([id]))),
    groupIds: groupIds.filter((id) => isAllowed(() => offerable.assertGroups([id]))),
  };
}

function isAllowed(assert: () => void): boolean {
  try {
    assert();
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

async function readOfferable(tx: RealmReadTx, rights: Rights, brought: Brought): Promise<Offerable> {
  const found = await findChannels(tx, brought.channelIds);
  const groups = await findGroups(tx, brought.groupIds);
  const subscriptions = found.size > 0 ? await listSubscriptions(tx, rights.actor.userId) : [];
  const subscribed = new Set(
    subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.channel_id),
  );
  const access = (id: ChannelId): ChannelRow => {
    const channel = found.get(id);
    const access = { role: rights.actor.role, isSubscribed: subscribed.has(id), groups: rights.groups };
    if (!channel || channel.is_archived || !mayRead(channel, access)) throw InvalidInviteChannel({ id });
    return channel;
  };
  return {
    isActiveChannel: (id) => found.get(id)?.is_archived === false,
    isActiveGroup: (id) => groups.get(id)?.deactivated === false,
    assertChannels: (ids) => {
      if (!ids.map(access).every((channel) => channel.is_default || maySubscribeOthers(rights, channel)))
        throw MayNotSubscribeOthers();
    },
    assertGroups: (ids) => {
      for (const id of ids) assertMayOfferGroup(rights, groups.get(id));
    },
  };
}

function assertMayOfferGroup(rights: Rights, group: GroupRow | undefined): void {
  const holdsIn = (name: 'can_add_members_group' | 'can_manage_group', groupId: GroupId) =>
    holdsAmong(rights.groups, rights.actor, userGroupSetting(name), groupId);
  if (!group || group.group_kind === 'anonymous') throw InvalidInviteGroup();
  if (group.deactivated) throw InviteGroupDeactivated();
  const mayAdd =
    holdsIn('can_add_members_group', group.can_add_members_group) ||
    holdsIn('can_manage_group', group.can_manage_group) ||
    rights.holds('can_manage_all_groups');
  if (group.group_kind === 'system' || !mayAdd) throw InsufficientPermission();
}
