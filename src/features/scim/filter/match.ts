import type { Filter, Operator, Value } from './parse.ts';

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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
