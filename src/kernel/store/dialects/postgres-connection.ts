import type { Kysely, QueryResult } from 'kysely';
import type pg from 'pg';
import type { Tables } from '../index.ts';
import { RowDecoder, storable } from './codec.ts';
import { LineVersions, tablesTouched } from './line-versions.ts';
import { boundTo, type Execute, type Statement } from './session.ts';

/** Most statements that get a name on the server; the rest are planned each time. */
const MAX_NAMED = 2000;

interface Known {
  readonly name: string | undefined;
  readonly decoder: RowDecoder;
  readonly touched: readonly string[] | 'all';
}

/** Names statements by their text, the same on every connection of the pool. */
export class StatementNames {
  readonly #known = new Map<string, Known>();

  of(text: string): Known {
    const known = this.#known.get(text);
    if (known) return known;
    const name = this.#known.size < MAX_NAMED ? `s${this.#known.size}` : undefined;
    const entry = { name, decoder: new RowDecoder(), touched: tablesTouched(text) };
    if (name !== undefined) this.#known.set(text, entry);
    return entry;
  }
}

/**
 * Opens the pool; 64-bit integers come back as numbers, which hold every ID there will be. The driver is loaded here: a
 * server on the embedded database does without it.
 */
export async function openPool(
  url: string,
  { size, readOnly }: { readonly size: number; readonly readOnly: boolean },
): Promise<pg.Pool> {
  const { Pool, types: parsers } = (await import('pg')).default;
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') => {
      if (oid === parsers.builtins.INT8 || oid === parsers.builtins.NUMERIC) return Number;
      const parse: unknown = parsers.getTypeParser(oid, format === 'binary' ? 'binary' : 'text');
      return parse;
    },
  };
  // Compiling a plan takes longer than any of our statements, and is done again each time one runs.
  const options = `-c jit=off${readOnly ? ' -c default_transaction_read_only=on' : ''}`;
  // A statement whose answer nobody waits for goes out with the next one.
  return new Pool({ connectionString: url, max: size, types, application_name: 'roost', options, pipeline: true });
}

/** How statements are built and run on one client of the pool. */
export interface ClientAccess {
  readonly db: Kysely<Tables>;
  readonly execute: Execute;
  /** What its statements have changed; of use in a transaction that several writes share. */
  readonly versions: LineVersions;
}

/** A query builder on one client of the pool, and the way past it. */
export function accessTo(client: pg.ClientBase, names: StatementNames): ClientAccess {
  const versions = new LineVersions();
  const execute: Execute = async <R>(query: Statement): Promise<QueryResult<R>> => {
    const { name, decoder, touched } = names.of(query.sql);
    versions.note(touched);
    const values = query.parameters.map(storable);
    // After a few runs a named statement gets one plan for whatever it is asked.
    const isNamed = name !== undefined && !query.isPlannedAnew;
    const result = await client.query<Record<string, unknown>>(
      isNamed ? { name, text: query.sql, values } : { text: query.sql, values },
    );
    // The builder's row type is what the statement returns, once decoded.
    return { rows: decoder.decode(result.rows) as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
  };
  return { db: boundTo(execute, 'postgres'), execute, versions };
}
