import type { Duplex } from 'node:stream';
import type { Kysely, QueryResult } from 'kysely';
import type pg from 'pg';
import type { Tables } from '../index.ts';
import { RowDecoder, storable } from './codec.ts';
import { LineVersions, type Touch, touchOf } from './batch-versions.ts';
import type { Watched } from './postgres-stalls.ts';
import { FirstFailure } from './first-failure.ts';
import { LaterRows } from './later-rows.ts';
import type { SharedVersions } from './shared-versions.ts';
import { boundTo, type Execute, type Statement } from './session.ts';
import { Unanswered } from './unanswered.ts';

/** Most statements with a name on the server; the rest are planned each time. */
const MAX_NAMED = 2000;

interface Known {
  readonly name: string | undefined;
  readonly decoder: RowDecoder;
  readonly touch: Touch;
  /** All words in its text. */
  readonly words: ReadonlySet<string>;
}

/** Names statements by their text, the same on all connections. */
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

/** How statements run on one client of the pool. */
export interface ClientAccess {
  readonly db: Kysely<Tables>;
  readonly execute: Execute;
  /** The same for the last statements of a transaction, whose results arrive with that of the commit. */
  readonly executeLast: Execute;
  /** Statements of the transaction whose results are not awaited yet. */
  readonly unanswered: Unanswered;
  /** Runs a statement without parameters or rows, such as BEGIN and COMMIT. */
  readonly run: (text: string) => Promise<pg.QueryResult>;
  /** How many statements were sent and answered. */
  readonly watched: Watched;
  /** The first failure of the transaction. */
  readonly failure: FirstFailure;
  /** What its statements have changed; used in transactions that several writes share. */
  readonly versions: LineVersions;
  /** Rows that are inserted together with others of the same transaction. */
  readonly later: LaterRows;
}

/** Creates the query builder and direct access for one client of the pool. */
export function accessTo(client: pg.ClientBase, names: StatementNames, shared: SharedVersions): ClientAccess {
  const versions = new LineVersions(shared);
  const watched: Watched = { sent: 0, answered: 0, isUnbounded: false, cut: () => cut(client) };
  const failure = new FirstFailure();
  const gather = gathering(client);
  const sent = async <T>(ask: () => Promise<T>): Promise<T> => {
    watched.sent++;
    gather();
    try {
      return await ask();
    } catch (error) {
      failure.note(error);
      throw error;
    } finally {
      watched.answered++;
    }
  };
  const run = (text: string) => {
    watched.isUnbounded = false;
    return sent(() => client.query(text));
  };
  const execute: Execute = async <R>(query: Statement): Promise<QueryResult<R>> => {
    const { name, decoder, touch, words } = names.of(query.sql);
    if (later.concerns(words)) later.flush();
    versions.note(touch);
    if (query.liftsBounds) watched.isUnbounded = true;
    const values = query.parameters.map(storable);
    // After a few runs, PostgreSQL would use one generic plan for a named statement, whatever its parameters.
    const isNamed = name !== undefined && !query.isPlannedAnew;
    const result = await sent(() =>
      client.query<Record<string, unknown>>(isNamed ? { name, text: query.sql, values } : { text: query.sql, values }),
    );
    // The cast is safe: a statement returns rows of this type once they are decoded.
    return { rows: decoder.decode(result.rows) as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
  };
  const unanswered = new Unanswered();
  const executeLast: Execute = (query) => {
    unanswered.add(execute(query));
    return Promise.resolve({ rows: [] });
  };
  const later = new LaterRows(execute, unanswered, versions);
  return { db: boundTo(execute, 'postgres'), execute, executeLast, unanswered, run, watched, failure, versions, later };
}

/**
 * Combines statements that are sent without waiting in between into one write to the socket: a write for each costs
 * this process more than everything else that it does for a statement. Must be called before each.
 */
function gathering(client: pg.ClientBase): () => void {
  const stream = streamOf(client);
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    stream.cork();
    process.nextTick(() => {
      isGathering = false;
      stream.uncork();
    });
  };
}

/** Closes a connection at once; the driver's `end` waits for running statements. */
function cut(client: pg.ClientBase): void {
  streamOf(client).destroy(new Error('Connection terminated: no answer'));
}

function streamOf(client: pg.ClientBase): Duplex {
  // The driver has this member, but its types do not declare it.
  const { connection } = client as pg.ClientBase & { readonly connection: pg.Connection };
  return connection.stream;
}
