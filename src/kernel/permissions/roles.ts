/** The roles by name; a lower number has more rights. See protocol/permissions#roles. */
export const Role = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type RoleNumber = (typeof Role)[keyof typeof Role];
export const ROLES: readonly RoleNumber[] = [100, 200, 300, 400, 600];

interface HasRole {
  readonly role: number;
}

export const isOwner = (user: HasRole): boolean => user.role <= Role.owner;
/** Administrators, including owners. */
export const isAdministrator = (user: HasRole): boolean => user.role <= Role.administrator;
/** Moderators, including administrators and owners. */
export const isModerator = (user: HasRole): boolean => user.role <= Role.moderator;
export const isGuest = (user: HasRole): boolean => user.role >= Role.guest;

/** The system groups in the order of their IDs, with their descriptions. See protocol/permissions#roles. */
export const SYSTEM_GROUPS = [
  { name: 'role:nobody', description: 'Nobody' },
  { name: 'role:owners', description: 'Owners of this organization' },
  { name: 'role:administrators', description: 'Administrators of this organization, including owners' },
  { name: 'role:moderators', description: 'Moderators of this organization, including administrators' },
  { name: 'role:fullmembers', description: 'Members of this organization, not including new accounts and guests' },
  { name: 'role:members', description: 'Members of this organization, not including guests' },
  { name: 'role:everyone', description: 'Everyone in this organization, including guests' },
  { name: 'role:internet', description: 'Everyone on the Internet' },
] as const;
export type SystemGroupName = (typeof SYSTEM_GROUPS)[number]['name'];

/** The nesting: each group is the only direct subgroup of the next. */
const CHAIN: readonly SystemGroupName[] = SYSTEM_GROUPS.map(({ name }) => name).slice(1);

const FIRST: Readonly<Record<number, SystemGroupName>> = {
  100: 'role:owners',
  200: 'role:administrators',
  300: 'role:moderators',
  400: 'role:members',
  600: 'role:everyone',
};

/** Returns all system groups that a user with this role belongs to, directly or by nesting. */
export function systemGroupsOfRole(role: number, isFullMember: boolean): readonly SystemGroupName[] {
  const first = role === Role.member && isFullMember ? 'role:fullmembers' : (FIRST[role] ?? 'role:everyone');
  return CHAIN.slice(CHAIN.indexOf(first));
}
