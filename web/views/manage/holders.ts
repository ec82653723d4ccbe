import type { Client } from '../../client/index.ts';

/** Restrictions on who may hold a permission, as the server sends them. */
export interface Bounds {
  readonly allow_nobody_group?: boolean;
  readonly allow_everyone_group?: boolean;
  readonly allow_internet_group?: boolean;
  readonly require_system_group?: boolean;
  readonly allowed_system_groups?: readonly string[];
}

/** A permission's value in the API's form: a group, or people and groups. */
export type PermissionValue =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] };

/** A permission's name, and what kind of thing it is on. */
export interface PermissionOf {
  readonly kind: 'realm' | 'stream' | 'group';
  readonly name: string;
}

/** Returns the restrictions of a permission; undefined for one that this server does not have. */
export function boundsOf({ model }: Client, { kind, name }: PermissionOf): Bounds | undefined {
  const all: unknown = model.facts.get('server_supported_permission_settings');
  const found: unknown = field(field(all, kind), name);
  return typeof found === 'object' && found !== null ? found : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** The holders of a permission: groups and people, by ID. */
export interface HolderIds {
  readonly groups: readonly number[];
  readonly people: readonly number[];
}

/** Returns the holders of a value; the group of nobody counts as none. */
export function holderIds(value: PermissionValue | undefined, nobody: number | undefined): HolderIds {
  if (value === undefined || value === nobody) return { groups: [], people: [] };
  if (typeof value === 'number') return { groups: [value], people: [] };
  return { groups: value.direct_subgroups, people: value.direct_members };
}

/** Returns the value for some holders: the ID of a single group, and the group of nobody for none. */
export function valueOf({ groups, people }: HolderIds, nobody: number | undefined): PermissionValue | undefined {
  const [only] = groups;
  if (people.length > 0 || groups.length > 1) return { direct_members: people, direct_subgroups: groups };
  return only ?? nobody;
}

/** Whether the restrictions allow a group as a holder. */
export function isAllowed(name: string, isSystem: boolean, bounds: Bounds): boolean {
  const { require_system_group = false, allowed_system_groups: listed = [] } = bounds;
  if (!isSystem) return !require_system_group;
  if (listed.length > 0) return listed.includes(name);
  if (name === 'role:internet') return bounds.allow_internet_group === true;
  if (name === 'role:everyone') return bounds.allow_everyone_group === true;
  return name !== 'role:nobody' || bounds.allow_nobody_group === true;
}
