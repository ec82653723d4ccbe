import { type Direction, type Schema, splitJsonSchema } from '#kernel/schema';

type Json = Readonly<Record<string, unknown>>;

const PREFIX = '#/components/schemas/';

/** The named schemas of one document: each is written once under `components/schemas`, and referenced by `$ref`. */
export class Schemas {
  readonly #named = new Map<string, Json>();

  /**
   * Returns the JSON Schema of a shape and registers the named shapes in it. If a name is registered for both
   * directions, the schema of what may be sent takes precedence.
   */
  of(schema: Schema, direction: Direction = 'answered'): Json {
    const { own, named } = splitJsonSchema(schema, PREFIX, direction);
    for (const [name, definition] of named)
      if (direction === 'sent' || !this.#named.has(name)) this.#named.set(name, definition);
    return own;
  }

  /** Returns a named schema. */
  find(name: string): Json {
    return this.#named.get(name) ?? {};
  }

  /** Returns all named schemas, by name. */
  all(): Json {
    return Object.fromEntries([...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}
