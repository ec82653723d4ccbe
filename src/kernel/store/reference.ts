import { type RawBuilder, sql } from 'kysely';

const references = new Map<string, RawBuilder<unknown>>();

/**
 * Refers to a column, as `sql.ref` does, whose name is never a client's: each name is parsed once and cached. Parsing a
 * reference takes as long as many a statement runs.
 */
export function reference(column: string): RawBuilder<unknown> {
  const known = references.get(column) ?? sql.ref(column);
  references.set(column, known);
  return known;
}
