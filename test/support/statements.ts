import pg from 'pg';
import type { WriteBatch, ReadTx, Store, WriteTx } from '#kernel/store';
import type { World } from './world.ts';

/** Matches statements that begin or end transactions. */
const AROUND = /^\s*(begin|start|commit|rollback|set)\b/i;

/**
 * Counts the statements that the server runs during `act`. Background work counts too: where that matters, take the
 * least of several counts. On PostgreSQL everything counts but what begins and ends transactions; on SQLite the log's
 * statements do not count.
 */
export async function countStatements(world: World, act: () => Promise<unknown>): Promise<number> {
  const { prototype } = pg.Client;
  const own = Reflect.get(prototype, 'query') as (...args: unknown[]) => unknown;
  let sent = 0;
  const query = function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args;
    const text = typeof asked === 'string' ? asked : ((asked as { text?: string } | undefined)?.text ?? '');
    if (!AROUND.test(text)) sent++;
    return own.apply(this, args);
  };
  Object.assign(prototype, { query });
  try {
    const local = await countLocal(world, act);
    return sent === 0 ? local : sent;
  } finally {
    Object.assign(prototype, { query: own });
  }
}

async function countLocal(world: World, act: () => Promise<unknown>): Promise<number> {
  // Requests write through stores of their own, which all wrap this one.
  const { store: audited } = world.server.context;
  const store: Store = 'raw' in audited ? (audited.raw as Store) : audited;
  const own = {
    read: store.read.bind(store),
    query: store.query.bind(store),
    write: store.write.bind(store),
    moment: store.moment.bind(store),
  };
  let count = 0;
  const heard = <Tx extends ReadTx | WriteTx>(tx: Tx): Tx => ({
    ...tx,
    // Statements of the query builder pass through its plugins, compiled ones do not.
    db: (tx.db as WriteTx['db']).withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        count++;
        return result;
      },
    }),
    execute: (statement: Parameters<ReadTx['execute']>[0]) => {
      count++;
      return tx.execute(statement);
    },
  });
  Object.assign(store, {
    moment: () => store,
    read: <T>(work: (tx: ReadTx) => Promise<T>) => own.read((tx) => work(heard(tx))),
    query: <T>(work: (tx: ReadTx) => Promise<T>) => own.query((tx) => work(heard(tx))),
    write: <T>(work: (tx: WriteTx) => Promise<T>, line?: WriteBatch) => own.write((tx) => work(heard(tx)), line),
  });
  try {
    await act();
    return count;
  } finally {
    Object.assign(store, own);
  }
}

/** Returns the least of three counts of the same work; `prepare` runs before each and is not counted. */
export async function leastStatements(
  world: World,
  act: () => Promise<unknown>,
  prepare: () => Promise<unknown> = async () => undefined,
): Promise<number> {
  const counts: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await prepare();
    counts.push(await countStatements(world, act));
  }
  return Math.min(...counts);
}
