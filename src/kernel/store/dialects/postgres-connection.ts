import type { Duplex } from 'node:stream';
import type { Kysely, QueryResult } from 'kysely';
import type pg from 'pg';
import type { Tables } from '../index.ts';
import { RowDecoder, storable } from './codec.ts';
import { LineVersions, type Touch, touchOf } from './batch-versions.ts';
import type { Watched } from './postgres-stalls.ts';
import { LaterRows } from './later-rows.ts';
import type { SharedVersions } from './shared-versions.ts';
import { boundTo, type Execute, type Statement } from './session.ts';
import { Unanswered } from './unanswered.ts';

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
  /** The same for the last ones of a transaction: their answers come with that to the commit. */
  readonly executeLast: Execute;
  /** Those of the transaction that have not been waited for. */
  readonly unanswered: Unanswered;
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
  const gather = gathering(client);
  const sent = async <T>(ask: () => Promise<T>): Promise<T> => {
    watched.sent++;
    gather();
    try {
      return await ask();
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
    // After a few runs a named statement gets one plan for whatever it is asked.
    const isNamed = name !== undefined && !query.isPlannedAnew;
    const result = await sent(() =>
      client.query<Record<string, unknown>>(isNamed ? { name, text: query.sql, values } : { text: query.sql, values }),
    );
    // The builder's row type is what the statement returns, once decoded.
    return { rows: decoder.decode(result.rows) as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
  };
  const unanswered = new Unanswered();
  const executeLast: Execute = (query) => {
    unanswered.add(execute(query));
    return Promise.resolve({ rows: [] });
  };
  const later = new LaterRows(execute, unanswered, versions);
  return { db: boundTo(execute, 'postgres'), execute, executeLast, unanswered, run, watched, versions, later };
}

/**
 * Lets statements that are sent before anything else is waited for leave by one write: a write of its own for each costs this
 * process more than all else that it does for a statement. To be called before each.
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

/** Ends a connection at once; the driver's own end waits for what is under way. */
function cut(client: pg.ClientBase): void {
  streamOf(client).destroy(new Error('Connection terminated: no answer'));
}

function streamOf(client: pg.ClientBase): Duplex {
  // The types leave out what the driver shows.
  const { connection } = client as pg.ClientBase & { readonly connection: pg.Connection };
  return connection.stream;
}
