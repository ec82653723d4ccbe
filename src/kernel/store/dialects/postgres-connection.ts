import type { Kysely, QueryResult } from 'kysely';
import type pg from 'pg';
import type { Tables } from '../index.ts';
import { RowDecoder, storable } from './codec.ts';
import { LineVersions, type Touch, touchOf } from './batch-versions.ts';
import type { Watched } from './postgres-stalls.ts';
import { LaterRows } from './later-rows.ts';
import type { SharedVersions } from './shared-versions.ts';
import { boundTo, type Execute, type Statement } from './session.ts';

/** Most statements that get a name on the server; the rest are planned each time. */
const MAX_NAMED = 2000;

interface Known {
  readonly name: string | undefined;
  readonly decoder: RowDecoder;
  readonly touch: Touch;
  /** Every word of its text. */
  readonly words: ReadonlySet<string>;
}

/** Names statements by their text, the same on every connection of the pool. */
export class StatementNames {
  readonly #known = new Map<string, Known>();

  of(text: string): Known {
    const known = this.#known.get(text);
    if (known) return known;
    const name = this.#known.size < MAX_NAMED ? `s${this.#known.size}` : undefined;
    const entry = { name, decoder: new RowDecoder(), touch: touchOf(text), words: new Set(text.match(/\w+/g)) };
    if (name !== undefined) this.#known.set(text, entry);
    return entry;
  }
}

/** How statements are built and run on one client of the pool. */
export interface ClientAccess {
  readonly db: Kysely<Tables>;
  readonly execute: Execute;
  /** Runs a statement without parameters or rows, as those around a transaction. */
  readonly run: (text: string) => Promise<pg.QueryResult>;
  /** What it was sent and has answered. */
  readonly watched: Watched;
  /** What its statements have changed; of use in a transaction that several writes share. */
  readonly versions: LineVersions;
  /** Rows that go out with others of the same transaction. */
  readonly later: LaterRows;
}

/** A query builder on one client of the pool, and the way past it. */
export function accessTo(client: pg.ClientBase, names: StatementNames, shared: SharedVersions): ClientAccess {
  const versions = new LineVersions(shared);
  const watched: Watched = { sent: 0, answered: 0, isUnbounded: false, cut: () => cut(client) };
  const counted = async <T>(statement: Promise<T>): Promise<T> => {
    watched.sent++;
    try {
      return await statement;
    } finally {
      watched.answered++;
    }
  };
  const run = (text: string) => {
    watched.isUnbounded = false;
    return counted(client.query(text));
  };
  const execute: Execute = async <R>(query: Statement): Promise<QueryResult<R>> => {
    const { name, decoder, touch, words } = names.of(query.sql);
    if (later.concerns(words)) later.flush();
    versions.note(touch);
    if (query.liftsBounds) watched.isUnbounded = true;
    const values = query.parameters.map(storable);
    // After a few runs a named statement gets one plan for whatever it is asked.
    const isNamed = name !== undefined && !query.isPlannedAnew;
    const result = await counted(
      client.query<Record<string, unknown>>(isNamed ? { name, text: query.sql, values } : { text: query.sql, values }),
    );
    // The builder's row type is what the statement returns, once decoded.
    return { rows: decoder.decode(result.rows) as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
  };
  const later = new LaterRows(execute, versions);
  return { db: boundTo(execute, 'postgres'), execute, run, watched, versions, later };
}

/** Ends a connection at once; the driver's own end waits for what is under way. */
function cut(client: pg.ClientBase): void {
  // The types leave out what the driver shows.
  const { connection } = client as pg.ClientBase & { readonly connection: pg.Connection };
  connection.stream.destroy(new Error('Connection terminated: no answer'));
}
