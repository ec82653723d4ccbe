import { isAdministrator } from '#kernel/permissions';
import { type ChannelAccess, mayAddSubscribers, mayAdminister, mayRead } from '#features/channels/rules';
import type { Client } from '../../client/index.ts';
import type { Channel } from '../../model/index.ts';
import { t } from '../../words/deferred.ts';

type GroupId = ChannelAccess['groups'] extends ReadonlySet<infer Id> ? Id : never;
/** A permission in the form of the state: a group, or people and groups. */
type Holders = Channel['channel']['can_subscribe_group'];

/** Returns all groups that the viewer is in, directly or through nested groups. */
function groupsOf({ model }: Client): ReadonlySet<GroupId> {
  const all = model.facts.get('realm_user_groups') ?? [];
  const found = new Set<GroupId>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const group of all) {
      const isIn = group.members.some((id) => id === model.me) || group.direct_subgroup_ids.some((id) => found.has(id));
      if (isIn) found.add(group.id);
    }
  }
  return found;
}

/** Whether the viewer holds a permission. */
export function holds(client: Client, value: Holders | undefined): boolean {
  if (value === undefined) return false;
  const groups = groupsOf(client);
  if (typeof value === 'number') return groups.has(value);
  return (
    value.direct_members.some((id) => id === client.model.me) || value.direct_subgroups.some((id) => groups.has(id))
  );
}

/** Whether the viewer may make channels of some kind. */
export function mayCreateChannels(client: Client): boolean {
  const { facts } = client.model;
  return (
    holds(client, facts.get('realm_can_create_public_channel_group')) ||
    holds(client, facts.get('realm_can_create_private_channel_group')) ||
    holds(client, facts.get('realm_can_create_web_public_channel_group'))
  );
}

/** Whether the viewer may make groups. */
export function mayCreateGroups(client: Client): boolean {
  return holds(client, client.model.facts.get('realm_can_create_groups'));
}

/** Returns the channel and the viewer's access in the form of the slice's rules; undefined before groups are known. */
function asked(client: Client, { membership, channel }: Channel) {
  const groups = groupsOf(client);
  const nobody = client.model.facts.get('realm_user_groups')?.find(({ name }) => name === 'role:nobody')?.id;
  const [own = nobody] = groups;
  if (own === undefined || nobody === undefined) return undefined;
  // The rules know only single groups: a list of holders is replaced by a group that the viewer is in, or by that of
  // nobody.
  const groupOf = (value: Holders) => (typeof value === 'number' ? value : holds(client, value) ? own : nobody);
  const facts = {
    ...channel,
    can_administer_channel_group: groupOf(channel.can_administer_channel_group),
    can_add_subscribers_group: groupOf(channel.can_add_subscribers_group),
    can_subscribe_group: groupOf(channel.can_subscribe_group),
  };
  const role = client.model.people.table.get(client.model.me)?.user.role ?? null;
  return { facts, access: { role, isSubscribed: membership === 'subscribed', groups } };
}

export function mayAdministerChannel(client: Client, row: Channel): boolean {
  const known = asked(client, row);
  return known !== undefined && mayAdminister(known.facts, known.access);
}

/** Whether the viewer may subscribe others to a channel that they can read. */
export function mayAddSubscribersTo(client: Client, { channel }: Channel): boolean {
  const { facts, people, me } = client.model;
  const role = people.table.get(me)?.user.role;
  return mayAddSubscribers({
    isAdministrator: role !== undefined && isAdministrator({ role }),
    holds: (name) => holds(client, facts.get(`realm_${name}`)),
    holdsIn: (name) => holds(client, channel[name]),
  });
}

/** Whether the viewer may join the channel, or join it again after leaving: both need access without a subscription. */
export function mayJoinChannel(client: Client, row: Channel): boolean {
  const known = asked(client, row);
  return known !== undefined && mayRead(known.facts, { ...known.access, isSubscribed: false });
}

/** Names the holders of a permission, or of any of some. */
export function holdersOf(client: Client, ...values: readonly (Holders | undefined)[]): string {
  const names = new Set(values.flatMap((value) => namesOf(client, value)));
  names.delete(t('settings.nobody'));
  return names.size === 0 ? t('settings.nobody') : [...names].join(', ');
}

function namesOf(client: Client, value: Holders | undefined): readonly string[] {
  if (value === undefined) return [];
  const groups = typeof value === 'number' ? [value] : value.direct_subgroups;
  const people = typeof value === 'number' ? [] : value.direct_members;
  return [
    ...groups.map((id) => groupName(client, id)),
    ...people.map((id) => client.model.people.table.get(id)?.user.full_name ?? `#${id}`),
  ];
}

const ROLE_GROUPS = {
  'role:nobody': 'settings.nobody',
  'role:owners': 'group.owners',
  'role:administrators': 'group.administrators',
  'role:moderators': 'group.moderators',
  'role:fullmembers': 'group.fullMembers',
  'role:members': 'group.members',
  'role:everyone': 'group.everyone',
  'role:internet': 'group.internet',
} as const;

/** Returns a group's name; that of a role's group is a text of the client. */
export function groupName({ model }: Client, id: number): string {
  const name = model.facts.get('realm_user_groups')?.find((group) => group.id === id)?.name ?? `#${id}`;
  const known = Object.entries(ROLE_GROUPS).find(([key]) => key === name);
  return known ? t(known[1]) : name;
}
