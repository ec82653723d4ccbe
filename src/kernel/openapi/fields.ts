import { fieldsIn } from '#kernel/text';
type Json = Readonly<Record<string, unknown>>;

/** One member of an object, as the documentation lists it. */
export interface Field {
  readonly name: string;
  /** Its kind in words: `integer`, `list of Message`. */
  readonly kind: string;
  readonly isOptional: boolean;
}

/** The members of each form of an object: one list, or several if it is a union of shapes, named or not. */
export function formsOf(schema: Json, find: (name: string) => Json = () => ({})): readonly (readonly Field[])[] {
  const { $ref } = schema;
  if (typeof $ref === 'string') return formsOf(find(nameIn($ref)), find);
  const several = objects(schema['anyOf']);
  return several.length > 0 ? several.flatMap((one) => formsOf(one, find)) : [fieldsOf(schema)];
}

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function fieldsOf(schema: Json): readonly Field[] {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(fieldsIn(schema['properties'])).map(([name, member]) => ({
    name,
    kind: kindOf(fieldsIn(member)),
    isOptional: !required.has(name),
  }));
}

/** Describes a schema in a few words. */
function kindOf(schema: Json): string {
  const { $ref, const: only, enum: words, type } = schema;
  if (typeof $ref === 'string') return nameIn($ref);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join(' or ');
  const several = objects(schema['anyOf']);
  if (several.length > 0) return [...new Set(several.map(kindOf))].join(' or ');
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'array') return `list of ${kindOfItems(schema)}`;
  if (type !== 'object') return typeof type === 'string' ? type : 'any value';
  const inner = fieldsOf(schema).map(({ name, isOptional }) => (isOptional ? `${name}?` : name));
  if (inner.length > 0) return `{${inner.join(', ')}}`;
  const values = fieldsIn(schema['additionalProperties']);
  return Object.keys(values).length > 0 ? `object of ${kindOf(values)}` : 'object';
}

function kindOfItems(schema: Json): string {
  const places = objects(schema['prefixItems']);
  return places.length > 0 ? `(${places.map(kindOf).join(', ')})` : kindOf(fieldsIn(schema['items']));
}

const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(fieldsIn) : []);
