import { z } from 'zod';
import type { Schema } from './shapes.ts';

type Json = Readonly<Record<string, unknown>>;

const SAFE = Number.MAX_SAFE_INTEGER;

/** What a schema describes: what may be sent shows all its bounds, what is answered leaves out those of exact integers. */
export type Direction = 'sent' | 'answered';

/** The JSON Schema (2020-12) of a shape. Shapes with a name (`id` of their metadata) stand under `$defs`. */
export function toJsonSchema(schema: Schema, direction: Direction): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io: 'input',
    override: ({ jsonSchema }) => {
      if (direction === 'answered' && jsonSchema.maximum === SAFE) delete jsonSchema.maximum;
      if (direction === 'answered' && jsonSchema.minimum === -SAFE) delete jsonSchema.minimum;
      // Says no more than `maxItems`, and generators of clients know only schemas that are objects.
      if (jsonSchema.items === false && jsonSchema.maxItems === jsonSchema.prefixItems?.length) delete jsonSchema.items;
      // The library says of whole numbers that are listed only that they are numbers.
      if (jsonSchema.type === 'number' && jsonSchema.enum?.every(Number.isInteger)) jsonSchema.type = 'integer';
    },
  });
  return rest;
}

/** The JSON Schema of a shape, and those of the named shapes in it, which are referred to below `prefix`. */
export function splitJsonSchema(
  schema: Schema,
  prefix: string,
  direction: Direction,
): { readonly own: Json; readonly named: readonly (readonly [string, Json])[] } {
  const { $defs, ...own } = toJsonSchema(schema, direction);
  const refer = (name: string): Json => ({ $ref: `${prefix}${name}` });
  const named = Object.entries(definitions($defs)).map(([name, { id: _name, ...rest }]) => {
    return [name, withReferences(rest, refer)] as const;
  });
  return { own: withReferences(own, refer), named };
}

/** The same of what may be sent, with named shapes in their places. */
export function toWholeJsonSchema(schema: Schema): Json {
  const { $defs, ...own } = toJsonSchema(schema, 'sent');
  const named = definitions($defs);
  const inPlace = (name: string): Json => withReferences(named[name] ?? {}, inPlace);
  return withReferences(own, inPlace);
}

/** Returns a schema whose references to named shapes have another form. */
function withReferences(schema: Json, form: (name: string) => Json): Json {
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...members } = value as Json;
    const rest = Object.fromEntries(Object.entries(members).map(([key, member]) => [key, convert(member)]));
    return typeof $ref === 'string' ? { ...form($ref.replace('#/$defs/', '')), ...rest } : rest;
  };
  return convert(schema) as Json;
}

/** What the library gives for `$defs` is an object of schemas. */
const definitions = (value: unknown) => (value ?? {}) as Readonly<Record<string, Json>>;
