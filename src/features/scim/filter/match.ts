import { nextTurn } from '#kernel/endpoint';
import { isObject } from '#kernel/text';
import { type Filter, type Operator, termsOf, type Value } from './parse.ts';

/** Attributes that are compared with respect to case (RFC 7643, section 3.1). */
const EXACT = new Set(['id', 'externalid', 'value', 'members.value', 'meta.location', '$ref']);

/** Whether a resource, or a part of one, matches a filter (RFC 7644, section 3.4.2.2). */
export function matches(resource: unknown, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(resource, part));
    case 'or':
      return filter.parts.some((part) => matches(resource, part));
    case 'not':
      return !matches(resource, filter.part);
    case 'having':
      return valuesAt(resource, filter.path).some((value) => matches(value, filter.part));
    case 'present':
      return valuesAt(resource, filter.path).some((value) => value !== null && value !== '');
    case 'compare':
      return compares(valuesAt(resource, filter.path), filter);
  }
}

/** Comparisons with members that are made before other requests are served. */
const AT_ONCE = 5_000;

/** As `matches`, for a group with any number of members. */
export async function matchesInTurns(resource: object, filter: Filter): Promise<boolean> {
  switch (filter.kind) {
    case 'and':
      for (const part of filter.parts) if (!(await matchesInTurns(resource, part))) return false;
      return true;
    case 'or':
      for (const part of filter.parts) if (await matchesInTurns(resource, part)) return true;
      return false;
    case 'not':
      return !(await matchesInTurns(resource, filter.part));
    default:
      return membersMatch(resource, filter);
  }
}

async function membersMatch(resource: object, filter: Filter): Promise<boolean> {
  const members = 'members' in resource && Array.isArray(resource.members) ? resource.members : [];
  const isOne = filter.kind !== 'compare' || (filter.operator !== 'ne' && filter.value !== null);
  const atOnce = membersAtOnce(filter);
  for (let at = 0; at === 0 || at < members.length; at += atOnce) {
    const part = members.length <= atOnce ? resource : { ...resource, members: members.slice(at, at + atOnce) };
    // What one value must fulfil holds with the first that does; what none may be ends with the first that is.
    if (matches(part, filter) === isOne) return isOne;
    if (members.length > atOnce) await nextTurn();
  }
  return !isOne;
}

/** Number of members that are compared with a filter before other requests are served. */
export function membersAtOnce(filter: Filter): number {
  return Math.ceil(AT_ONCE / termsOf(filter));
}

function compares(values: readonly unknown[], { path, operator, value }: Filter & { kind: 'compare' }): boolean {
  const isExact = EXACT.has(path);
  if (operator === 'ne') return !values.some((one) => holds(one, 'eq', value, isExact));
  if (value === null && operator === 'eq') return values.length === 0;
  return values.some((one) => holds(one, operator, value, isExact));
}

function holds(actual: unknown, operator: Operator, wanted: Value, isExact: boolean): boolean {
  if (typeof actual === 'boolean' || typeof wanted === 'boolean') return operator === 'eq' && actual === wanted;
  if (typeof actual !== 'string' || typeof wanted !== 'string') return false;
  const [left, right] = isExact ? [actual, wanted] : [actual.toLowerCase(), wanted.toLowerCase()];
  if (operator === 'eq') return left === right;
  if (operator === 'co') return left.includes(right);
  if (operator === 'sw') return left.startsWith(right);
  if (operator === 'ew') return left.endsWith(right);
  if (operator === 'gt') return left > right;
  if (operator === 'ge') return left >= right;
  return operator === 'lt' ? left < right : left <= right;
}

/** All values at a path; a list contributes its elements, and an element its `value`. */
function valuesAt(resource: unknown, path: string): readonly unknown[] {
  let found: readonly unknown[] = [resource];
  for (const name of path.split('.')) found = found.flatMap((one) => partsOf(one, name));
  return found.flatMap(simple);
}

function simple(value: unknown): readonly unknown[] {
  return isObject(value) && 'value' in value ? [value, value['value']] : [value];
}

function partsOf(value: unknown, name: string): readonly unknown[] {
  if (!isObject(value)) return [];
  const key = Object.keys(value).find((one) => one.toLowerCase() === name);
  const found = key === undefined ? undefined : value[key];
  if (found === undefined) return [];
  return Array.isArray(found) ? found : [found];
}
