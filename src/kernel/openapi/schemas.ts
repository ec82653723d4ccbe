import { type Direction, type Schema, splitJsonSchema } from '#kernel/schema';

type Json = Readonly<Record<string, unknown>>;

const PREFIX = '#/components/schemas/';

/** The named schemas of one document: each stands once under `components/schemas`, and everywhere else as `$ref`. */
export class Schemas {
  readonly #named = new Map<string, Json>();

  /** The JSON Schema of a shape; what has a name in it is put among the named ones, where what may be sent goes first. */
  of(schema: Schema, direction: Direction = 'answered'): Json {
    const { own, named } = splitJsonSchema(schema, PREFIX, direction);
    for (const [name, definition] of named)
      if (direction === 'sent' || !this.#named.has(name)) this.#named.set(name, definition);
    return own;
  }

  /** One of the named ones. */
  find(name: string): Json {
    return this.#named.get(name) ?? {};
  }

  /** All of them, by name. */
  all(): Json {
    return Object.fromEntries([...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}
