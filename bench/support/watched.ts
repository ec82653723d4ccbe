import pg from 'pg';
import { cpuSeconds } from './child.ts';

/** Counters of a PostgreSQL server on this machine. */
export class Watched {
  readonly #client: pg.Client;
  readonly #seen = new Map<number, number>();
  /** Whether the server counts statements; only if `pg_stat_statements` is loaded at its start. */
  readonly countsStatements: boolean;

  private constructor(client: pg.Client, countsStatements: boolean) {
    this.#client = client;
    this.countsStatements = countsStatements;
  }

  static async open(url: string): Promise<Watched> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('create extension if not exists pg_stat_statements').catch(() => undefined);
    const reset = client.query('select pg_stat_statements_reset()');
    return new Watched(
      client,
      await reset.then(
        () => true,
        () => false,
      ),
    );
  }

  /** Returns the seconds of processor time of all its processes, and the number of this database's statements or 0. */
  async read(): Promise<{ readonly seconds: number; readonly statements: number }> {
    const { rows } = await this.#client.query<{ pid: number }>('select pid from pg_stat_activity');
    for (const { pid } of rows) this.#seen.set(pid, cpuSeconds(pid));
    const seconds = [...this.#seen.values()].reduce((sum, one) => sum + one, 0);
    if (!this.countsStatements) return { seconds, statements: 0 };
    const counted = await this.#client.query<{ calls: string }>(
      `select coalesce(sum(calls), 0) as calls from pg_stat_statements s join pg_database d on d.oid = s.dbid
       where d.datname = current_database() and toplevel`,
    );
    return { seconds, statements: Number(counted.rows[0]?.calls) };
  }

  /** Resets the count of statements. */
  async reset(): Promise<void> {
    if (this.countsStatements) await this.#client.query('select pg_stat_statements_reset()');
  }

  /** Prints the most expensive statements since the reset, where that is asked for. */
  async tell(): Promise<void> {
    if (!process.env['BENCH_COST_STATEMENTS']) return;
    if (!this.countsStatements) {
      process.stdout.write('No statements: PostgreSQL does not load pg_stat_statements (shared_preload_libraries).\n');
      return;
    }
    const { rows } = await this.#client.query(
      `select calls, round(total_exec_time::numeric, 1) as ms, rows, left(regexp_replace(query, '\\s+', ' ', 'g'), 130) as query
       from pg_stat_statements s join pg_database d on d.oid = s.dbid
       where d.datname = current_database() order by total_exec_time desc limit 45`,
    );
    console.table(rows);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}
