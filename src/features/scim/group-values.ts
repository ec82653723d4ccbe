import { nextTurn } from '#kernel/endpoint';
import { isObject, oneLine } from '#kernel/text';
import { badPath, badValue, textOf } from './fault.ts';
import { attributeName, type Filter, matches, membersAtOnce, termsOf } from './filter/index.ts';
import type { PatchStep } from './patch.ts';
import type { Resource } from './resource.ts';

/** A directory's new values of a group; undefined members stay. */
export interface WantedGroup {
  name?: string;
  members?: ReadonlySet<number>;
  externalId?: string | null;
}

const MAX_MEMBERS = 50_000;
/** Most comparisons with members that the filters of one change may make. */
const MAX_COMPARISONS = 500_000;

/** Reads the values of a whole group, for creating or replacing one. */
export function wantedGroupOf(resource: Readonly<Record<string, unknown>>): WantedGroup {
  const wanted: WantedGroup = {};
  for (const [name, value] of Object.entries(resource)) setAttribute(wanted, name, value);
  return wanted;
}

/** The values of a group after these steps. */
export function changesOf(before: Resource, steps: readonly PatchStep[]): Promise<WantedGroup> {
  return new Changing(before).after(steps);
}

/** A group during the steps of a change: its members are one set, which each step modifies. */
class Changing {
  readonly #before: Resource;
  readonly #wanted: WantedGroup = {};
  #members: Set<number> | undefined;
  #comparisons = 0;

  constructor(before: Resource) {
    this.#before = before;
  }

  async after(steps: readonly PatchStep[]): Promise<WantedGroup> {
    for (const step of steps) await this.#take(step);
    if (this.#members) this.#wanted.members = this.#members;
    return this.#wanted;
  }

  async #take({ op, path, value }: PatchStep): Promise<void> {
    if (!path) {
      if (isObject(value)) for (const [name, one] of Object.entries(value)) await this.#set(op, name, one);
      return;
    }
    const name = attributeName(path.attribute);
    if (op !== 'remove') await this.#set(op, path.attribute, value);
    else if (name === 'members') await this.#remove(path.filter, value);
    else if (name === 'externalid') this.#wanted.externalId = null;
    else throw badValue(`${path.attribute.slice(0, 100)} cannot be removed.`);
  }

  async #set(op: PatchStep['op'], path: string, value: unknown): Promise<void> {
    if (attributeName(path) !== 'members') setAttribute(this.#wanted, path, value);
    else if (op === 'add') await this.#add(idsOf(value));
    else this.#members = idsOf(value);
  }

  async #add(ids: ReadonlySet<number>): Promise<void> {
    const members = await this.#present();
    for (const id of ids) members.add(id);
    if (members.size > MAX_MEMBERS) throw tooMany();
  }

  /** Removes the members named by a filter or a list; without either, all members. */
  async #remove(filter: Filter | undefined, value: unknown): Promise<void> {
    const members = await this.#present();
    if (filter) await this.#removeFitting(members, filter);
    else if (value === undefined || value === null) members.clear();
    else for (const id of idsOf(value)) members.delete(id);
  }

  async #removeFitting(members: Set<number>, filter: Filter): Promise<void> {
    // The common case is fast: most directories name each member by a step of its own.
    if (filter.kind === 'compare' && filter.path === 'value' && filter.operator === 'eq') {
      const id = String(filter.value);
      if (/^\d{1,10}$/.test(id) && String(Number(id)) === id) members.delete(Number(id));
      return;
    }
    this.#comparisons += members.size * termsOf(filter);
    if (this.#comparisons > MAX_COMPARISONS)
      throw badValue('The filters have too many comparisons for so large a group.');
    const atOnce = membersAtOnce(filter);
    for (const [index, id] of [...members].entries()) {
      if (matches({ value: String(id), type: 'User' }, filter)) members.delete(id);
      if (index % atOnce === atOnce - 1) await nextTurn();
    }
  }

  /** The members so far; those of before are read in a turn of their own. */
  async #present(): Promise<Set<number>> {
    if (this.#members) return this.#members;
    await nextTurn();
    this.#members = idsOf(this.#before['members'] ?? []);
    await nextTurn();
    return this.#members;
  }
}

function setAttribute(wanted: WantedGroup, path: string, value: unknown): void {
  const name = attributeName(path);
  if (name === 'displayname') wanted.name = oneLine(textOf('displayName', value));
  else if (name === 'externalid') wanted.externalId = value === null ? null : textOf('externalId', value);
  else if (name === 'members') wanted.members = idsOf(value);
  else if (!['schemas', 'id', 'meta'].includes(name) && !name.startsWith('urn:'))
    throw badPath(`There is no attribute ${path.slice(0, 100)}.`);
}

function idsOf(value: unknown): Set<number> {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_MEMBERS) throw tooMany();
  return new Set(list.map(idOf));
}

const tooMany = () => badValue(`A group has at most ${MAX_MEMBERS} members.`);

function idOf(member: unknown): number {
  const id = isObject(member) ? member['value'] : member;
  if (typeof id !== 'string' || !/^\d{1,10}$/.test(id))
    throw badValue('Each member needs the ID of a person as its value.');
  return Number(id);
}
