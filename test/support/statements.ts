import pg from 'pg';
import type { WriteBatch, ReadTx, Store, WriteTx } from '#kernel/store';
import type { World } from './world.ts';

/** What begins and ends transactions. */
const AROUND = /^\s*(begin|start|commit|rollback|set)\b/i;

/**
 * Counts the statements that the server runs while `act` does. What runs behind it counts too: where that matters, take the least of
 * several counts. On PostgreSQL all that is sent counts but what begins and ends transactions; on SQLite the log's own does not.
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
  // Requests write by stores of their own, all of which stand on this one.
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
    // The builder's statements pass through its plugins, compiled ones do not.
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

/** The least of three counts of the same work; `prepare` runs before each and is not counted. */
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
