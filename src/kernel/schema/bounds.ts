import { fieldsIn } from '#kernel/text';
import { toWholeJsonSchema } from './json-schema.ts';
import { MAX_JSON_LENGTH, type Schema } from './shapes.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The parts of a schema whose values have no bound, as paths: texts without a longest length, numbers without a smallest and
 * a largest, lists without most items, objects with any number of members. Empty for a schema whose values are bounded throughout.
 */
export function unboundedParts(schema: Schema): readonly string[] {
  return [...partsOf(toWholeJsonSchema(schema), '')];
}

function* partsOf(schema: Json, path: string): Generator<string> {
  for (const branch of branchesOf(schema)) yield* partsOf(branch, path);
  if (branchesOf(schema).length > 0 || isChoice(schema) || typeof schema[MAX_JSON_LENGTH] === 'number') return;
  const { type } = schema;
  // The library writes plain alternatives as a list of types.
  if (Array.isArray(type)) {
    for (const one of type) yield* partsOf({ ...schema, type: one }, path);
    return;
  }
  if (type === undefined) yield `${path} (any JSON)`;
  else if (type === 'string' && typeof schema['maxLength'] !== 'number') yield `${path} (text)`;
  else if ((type === 'integer' || type === 'number') && !hasRange(schema)) yield `${path} (number)`;
  else if (type === 'array') yield* ofArray(schema, path);
  else if (type === 'object') yield* ofObject(schema, path);
}

function* ofArray(schema: Json, path: string): Generator<string> {
  if (!hasItems(schema)) yield* listOf(schema['prefixItems']).flatMap((item, n) => [...partsOf(item, `${path}[${n}]`)]);
  else {
    if (typeof schema['maxItems'] !== 'number') yield `${path} (list)`;
    yield* partsOf(fieldsIn(schema['items']), `${path}[]`);
  }
}

function* ofObject(schema: Json, path: string): Generator<string> {
  for (const [name, member] of membersOf(schema)) yield* partsOf(member, `${path}.${name}`);
  const free = schema['additionalProperties'];
  if (typeof free !== 'object' || free === null) return;
  if (typeof schema['maxProperties'] !== 'number') yield `${path} (members)`;
  yield* partsOf(fieldsIn(schema['propertyNames']), `${path}{name}`);
  if (Object.keys(free).length > 0) yield* partsOf(fieldsIn(free), `${path}{}`);
}

/**
 * Most values that a value of a bounded schema can hold, itself and the names of members included: lists and objects
 * count with all that is in them. Ignored members of requests come on top.
 */
export function mostParts(schema: Schema): number {
  return partCount(toWholeJsonSchema(schema));
}

function partCount(schema: Json): number {
  const branches = branchesOf(schema);
  if (branches.length > 0) return Math.max(...branches.map(partCount));
  const declared = schema[MAX_JSON_LENGTH];
  if (typeof declared === 'number') return declared;
  if (isChoice(schema)) return 1;
  if (Array.isArray(schema['type'])) return Math.max(...schema['type'].map((type) => partCount({ ...schema, type })));
  if (schema['type'] === 'array') return 1 + arrayCount(schema);
  return schema['type'] === 'object' ? 1 + objectCount(schema) : 1;
}

function arrayCount(schema: Json): number {
  if (!hasItems(schema)) return sum(listOf(schema['prefixItems']).map(partCount));
  return number(schema['maxItems']) * partCount(fieldsIn(schema['items']));
}

function objectCount(schema: Json): number {
  const members = sum(membersOf(schema).map(([, member]) => 1 + partCount(member)));
  const free = schema['additionalProperties'];
  if (typeof free !== 'object' || free === null) return members;
  return members + number(schema['maxProperties']) * (1 + partCount(fieldsIn(free)));
}

function branchesOf(schema: Json): readonly Json[] {
  return [...listOf(schema['anyOf']), ...listOf(schema['oneOf']), ...listOf(schema['allOf'])];
}

function hasRange({ minimum, maximum }: Json): boolean {
  return typeof minimum === 'number' && typeof maximum === 'number';
}

function hasItems(schema: Json): boolean {
  return typeof schema['items'] === 'object';
}

const isChoice = (schema: Json): boolean => choicesOf(schema).length > 0;
function choicesOf(schema: Json): readonly unknown[] {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : [];
}

function membersOf(schema: Json): readonly (readonly [string, Json])[] {
  return Object.entries(fieldsIn(schema['properties'])).map(([name, member]) => [name, fieldsIn(member)]);
}

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(fieldsIn) : []);
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
