import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type LimitNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely';
import type { Tables } from '../index.ts';

/** A compiled statement; `isPlannedAnew` if the best plan depends on the parameters, as for searched words. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'> & {
  readonly isPlannedAnew?: boolean;
  /** Lifts the time limits from the rest of the transaction. */
  readonly liftsBounds?: boolean;
};

/** Runs one compiled statement on one connection. */
export type Execute = <R>(query: Statement) => Promise<QueryResult<R>>;

/**
 * Creates a query builder bound to exactly one connection. The caller controls who uses the connection and its
 * transactions; the builder's own pool and transactions are not used.
 */
export function boundTo(execute: Execute, family: 'sqlite' | 'postgres'): Kysely<Tables> {
  const connection: DatabaseConnection = {
    executeQuery: execute,
    streamQuery() {
      throw new Error('rows are not streamed');
    },
  };
  const driver: Driver = {
    init: done,
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: done,
    destroy: done,
  };
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => (family === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
      createIntrospector: (db) => (family === 'sqlite' ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
      createQueryCompiler: () => (family === 'sqlite' ? new LimitsInText() : new PostgresQueryCompiler()),
    },
  });
}

/** Writes limits into the text: SQLite plans a statement anew each time a parameter is bound as its limit. */
class LimitsInText extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const limit = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (typeof limit !== 'number') return super.visitLimit(node);
    this.append('limit ');
    this.appendImmediateValue(limit);
  }
}

const done = () => Promise.resolve();
const refuse = () => Promise.reject(new Error('transactions are run by the store'));
