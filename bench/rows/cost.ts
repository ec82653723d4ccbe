import { cpuSeconds } from '../support/child.ts';
import { type Account, Connection, request } from '../support/connection.ts';
import { makePostgres, POSTGRES_URL } from '../support/postgres.ts';
import { databaseOf, prepare, startRoost } from '../support/roost.ts';
import { report, spread } from '../support/statistics.ts';
import { Watched } from '../support/watched.ts';

const SECONDS = Number(process.env['BENCH_COST_SECONDS'] ?? 4);
const CONTENT = 'Hello @**User Number 1**, see [the notes](https://example.com/notes) and **reply** by noon.';
const IN_CHANNEL = { type: 'channel', to: 'channel 0', topic: 'bench', content: CONTENT };

/** A request and the number of concurrent clients that send it. */
interface Load {
  readonly name: string;
  readonly clients: number;
  /** Returns a client's request of a turn. */
  readonly bytes: (account: Account | undefined, turn: number) => Buffer;
}

const LOADS: readonly Load[] = [
  ...[64, 8, 1].map((clients) => ({
    name: 'send',
    clients,
    bytes: (account: Account | undefined) => request(account, 'POST', '/messages', IN_CHANNEL),
  })),
  ...[16, 1].flatMap((clients) => [
    { name: 'nothing', clients, bytes: (account: Account | undefined) => request(account, 'GET', '/users/me') },
    {
      name: 'ping',
      clients,
      bytes: (account: Account | undefined) =>
        request(account, 'POST', '/users/me/presence', { status: 'active', ping_only: true }),
    },
    {
      name: 'page',
      clients,
      bytes: (account: Account | undefined) => page(account, [['channel', 'channel 0']]),
    },
    {
      name: 'search',
      clients,
      bytes: (account: Account | undefined) => page(account, [['search', 'notes']]),
    },
    {
      name: 'flag',
      clients,
      bytes: (account: Account | undefined, turn: number) =>
        request(account, 'POST', '/messages/flags', {
          messages: [1 + (turn % 100)],
          op: Math.floor(turn / 100) % 2 ? 'remove' : 'add',
          flag: 'starred',
        }),
    },
  ]),
];

function page(account: Account | undefined, narrow: readonly (readonly [string, string])[]): Buffer {
  return request(account, 'GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
}

/**
 * The cost of a request: processor time of the server and of PostgreSQL, and the latter's statements where it has
 * `pg_stat_statements`. On a machine with other load this says more than requests per second.
 */
export async function cost(): Promise<void> {
  await costOn('SQLite', undefined);
  if (POSTGRES_URL === undefined) return;
  const { url, remove } = await makePostgres(POSTGRES_URL);
  await costOn('PostgreSQL', url);
  await remove();
}

async function costOn(name: string, url: string | undefined): Promise<void> {
  const { folder, accounts, remove } = await prepare({ users: 70, channels: 1, subscribers: 70 }, url);
  const server = await startRoost(folder, databaseOf(url));
  const database = url === undefined ? undefined : await Watched.open(url);
  const wanted = process.env['BENCH_COST']?.split(',');
  for (const load of LOADS) {
    if (wanted && !wanted.includes(load.name)) continue;
    await run(server.port, accounts, load, 1);
    const before = [cpuSeconds(server.pid), await database?.read()] as const;
    const times = await run(server.port, accounts, load, SECONDS);
    // Work that the requests leave for later is part of their cost.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const each = (seconds: number) => ((1000 * seconds) / times.length).toFixed(3);
    const used = await database?.read();
    const parts = [`server ${each(cpuSeconds(server.pid) - before[0])} ms`];
    if (used && before[1]) {
      parts.push(`PostgreSQL ${each(used.seconds - before[1].seconds)} ms`);
      if (database?.countsStatements)
        parts.push(`${((used.statements - before[1].statements) / times.length).toFixed(2)} statements`);
    }
    report(
      'cost',
      `${name}, ${load.name}, ${load.clients} at once`,
      `${parts.join(', ')}; ${(times.length / SECONDS).toFixed(0)}/s, ${spread(times)}`,
    );
  }
  await database?.tell();
  await database?.close();
  await server.stop();
  remove();
}

/** Returns the milliseconds of each request that so many clients finish in so many seconds. */
async function run(port: number, accounts: readonly Account[], load: Load, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: load.clients }, async (_, index) => {
      const account = accounts[index % accounts.length];
      const connection = await Connection.open(port);
      for (let turn = 0; performance.now() < end; turn++) {
        const bytes = load.bytes(account, turn);
        const started = performance.now();
        await connection.send(bytes);
        times.push(performance.now() - started);
      }
      connection.close();
    }),
  );
  return times;
}
