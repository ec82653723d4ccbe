import { badPath, badValue } from './fault.ts';
import { attributeName, type Filter, matches } from './filter/index.ts';
import type { PatchStep } from './patch.ts';
import type { Resource } from './resource.ts';
import { isObject } from './user-values.ts';

/** What a directory wants a group to be; what is undefined stays. */
export interface WantedGroup {
  name?: string;
  members?: readonly number[];
  externalId?: string | null;
}

const MAX_TEXT = 320;
const MAX_MEMBERS = 50_000;

/** Takes a whole group over, as it is made or replaced. */
export function wantedGroupOf(resource: Readonly<Record<string, unknown>>): WantedGroup {
  const wanted: WantedGroup = {};
  for (const [name, value] of Object.entries(resource)) setAttribute(wanted, name, value);
  return wanted;
}

/** What a group must be after these steps. */
export function changesOf(before: Resource, steps: readonly PatchStep[]): WantedGroup {
  const wanted: WantedGroup = {};
  for (const step of steps) take(wanted, before, step);
  return wanted;
}

function take(wanted: WantedGroup, before: Resource, { op, path, value }: PatchStep): void {
  if (!path) {
    if (!isObject(value)) return;
    for (const [name, one] of Object.entries(value)) {
      if (attributeName(name) === 'members' && op === 'add')
        wanted.members = union(membersIn(wanted, before), idsOf(one));
      else setAttribute(wanted, name, one);
    }
    return;
  }
  const name = attributeName(path.attribute);
  if (name !== 'members') {
    if (op === 'remove' && name === 'externalid') wanted.externalId = null;
    else if (op === 'remove') throw badValue(`${path.attribute.slice(0, 100)} cannot be removed.`);
    else setAttribute(wanted, path.attribute, value);
    return;
  }
  const members = membersIn(wanted, before);
  if (op === 'add') wanted.members = union(members, idsOf(value));
  else if (op === 'replace') wanted.members = idsOf(value);
  else wanted.members = left(members, path.filter, value);
}

/** Directories name whom to remove by a filter, by a list, or not at all: then everybody. */
function left(members: readonly number[], filter: Filter | undefined, value: unknown): readonly number[] {
  if (filter) return members.filter((id) => !matches({ value: String(id), type: 'User' }, filter));
  if (value === undefined || value === null) return [];
  const gone = new Set(idsOf(value));
  return members.filter((id) => !gone.has(id));
}

function membersIn({ members }: WantedGroup, before: Resource): readonly number[] {
  return members ?? idsOf(before['members'] ?? []);
}

function union(some: readonly number[], more: readonly number[]): readonly number[] {
  return [...new Set([...some, ...more])];
}

function setAttribute(wanted: WantedGroup, path: string, value: unknown): void {
  const name = attributeName(path);
  if (name === 'displayname') wanted.name = textOf('displayName', value);
  else if (name === 'externalid') wanted.externalId = value === null ? null : textOf('externalId', value);
  else if (name === 'members') wanted.members = idsOf(value);
  else if (!['schemas', 'id', 'meta'].includes(name) && !name.startsWith('urn:'))
    throw badPath(`There is no attribute ${path.slice(0, 100)}.`);
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_TEXT)
    throw badValue(`${name} must be a text of 1 to ${MAX_TEXT} characters.`);
  return value.trim();
}

function idsOf(value: unknown): readonly number[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_MEMBERS) throw badValue(`A group has at most ${MAX_MEMBERS} members.`);
  return [...new Set(list.map(idOf))];
}

function idOf(member: unknown): number {
  const id = isObject(member) ? member['value'] : member;
  if (typeof id !== 'string' || !/^\d{1,10}$/.test(id))
    throw badValue('Each member needs the ID of a person as its value.');
  return Number(id);
}
