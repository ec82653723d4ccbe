import { type Child, cpuSeconds } from '../support/child.ts';
import { type Account, Connection, request } from '../support/connection.ts';
import { Listener } from '../support/listener.ts';
import { makePostgres, POSTGRES_URL } from '../support/postgres.ts';
import { databaseOf, prepare, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';
import { Watched } from '../support/watched.ts';

const ROUNDS = Number(process.env['BENCH_NODES_ROUNDS'] ?? 6);
const SECONDS = Number(process.env['BENCH_NODES_SECONDS'] ?? 3);
const CONTENT = 'Hello @**User Number 1**, see [the notes](https://example.com/notes) and **reply** by noon.';
const FIELDS = { type: 'channel', to: 'channel 0', topic: 'bench', content: CONTENT };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Costs of the sends of one round. */
interface Round {
  readonly rate: number;
  /** Milliseconds of processor time per send. */
  readonly server: number;
  readonly database: number;
  readonly statements: number;
}

/**
 * Two processes serving one organization compared with one, alternately on the same database: sends to either process,
 * and a message to 1,000 queues, of which each process has half.
 */
export async function nodes(): Promise<void> {
  if (POSTGRES_URL === undefined) throw new Error('BENCH_DATABASE_URL names the PostgreSQL server for this row');
  const { url, remove } = await makePostgres(POSTGRES_URL);
  const {
    folder,
    accounts,
    remove: removeFolder,
  } = await prepare({ users: 1000, channels: 1, subscribers: 1000 }, url);
  const servers = [await startRoost(folder, databaseOf(url)), await startRoost(folder, databaseOf(url))];
  const database = await Watched.open(url);
  for (const senders of [64, 8]) {
    const rounds: Readonly<Record<'one' | 'two', Round[]>> = { one: [], two: [] };
    await sends(servers, accounts, senders, database);
    for (let round = 0; round < ROUNDS; round++) {
      rounds.one.push(await sends(servers.slice(0, 1), accounts, senders, database));
      rounds.two.push(await sends(servers, accounts, senders, database));
    }
    tell(senders, database.countsStatements, rounds);
    for (const these of [servers.slice(0, 1), servers]) {
      await database.reset();
      await sends(these, accounts, senders, database);
      await database.tell();
    }
  }
  await lastServed(servers, accounts, 1000);
  await database.close();
  await Promise.all(servers.map((server) => server.stop()));
  removeFolder();
  await remove();
}

function tell(
  senders: number,
  countsStatements: boolean,
  { one, two }: Readonly<Record<'one' | 'two', readonly Round[]>>,
): void {
  const middle = (rounds: readonly Round[], what: keyof Round) =>
    quantile(
      rounds.map((round) => round[what]),
      0.5,
    );
  for (const [name, rounds] of [
    ['one process', one],
    ['two processes', two],
  ] as const)
    report(
      'nodes',
      `${name}, ${senders} senders`,
      `${middle(rounds, 'rate').toFixed(0)}/s; servers ${middle(rounds, 'server').toFixed(3)} ms, PostgreSQL ${middle(rounds, 'database').toFixed(3)} ms${countsStatements ? `, ${middle(rounds, 'statements').toFixed(2)} statements` : ''}`,
    );
  const shares = two.map(({ rate }, index) => rate / (one[index]?.rate ?? 1));
  report(
    'nodes',
    `two beside one, ${senders} senders (bars 0.95 of the rate, 1.10 of the processor)`,
    `${quantile(shares, 0.5).toFixed(2)} of the rate (${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)}); processor ${((middle(two, 'server') + middle(two, 'database')) / (middle(one, 'server') + middle(one, 'database'))).toFixed(2)}`,
  );
}

/** Runs so many senders, each of whose messages goes to any of the servers. */
async function sends(
  servers: readonly Child[],
  accounts: readonly Account[],
  senders: number,
  database: Watched,
): Promise<Round> {
  const spent = async () => ({
    server: servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
    ...(await database.read()),
  });
  const before = await spent();
  let count = 0;
  const end = performance.now() + SECONDS * 1000;
  await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      const ways = await Promise.all(servers.map(({ port }) => Connection.open(port)));
      const bytes = request(accounts[sender], 'POST', '/messages', FIELDS);
      while (performance.now() < end) {
        await ways[Math.floor(Math.random() * ways.length)]?.send(bytes);
        count++;
      }
      for (const way of ways) way.close();
    }),
  );
  // Work that the sends leave for later is part of their cost.
  await pause(500);
  const after = await spent();
  return {
    rate: count / SECONDS,
    server: (1000 * (after.server - before.server)) / count,
    database: (1000 * (after.seconds - before.seconds)) / count,
    statements: (after.statements - before.statements) / count,
  };
}

/**
 * Returns the milliseconds until the last of many queues, spread over the servers, has a message sent to one of them.
 */
async function lastServed(servers: readonly Child[], accounts: readonly Account[], count: number): Promise<void> {
  const listeners: Listener[] = [];
  const [first] = servers;
  const [sender] = accounts;
  if (!first || !sender) return;
  for (let index = 0; index < count; index++)
    listeners.push(
      await Listener.register(servers[index % servers.length]?.port ?? 0, accounts[index % accounts.length] ?? sender),
    );
  const connection = await Connection.open(first.port);
  const lasts: number[] = [];
  const quarters: number[] = [];
  for (let round = 0; round < 12; round++) {
    const times: number[] = [];
    const waiting = listeners.map((listener) => listener.next().then(() => times.push(performance.now())));
    await pause(1000);
    const started = performance.now();
    await connection.send(request(sender, 'POST', '/messages', FIELDS));
    await Promise.all(waiting);
    if (round < 2) continue;
    lasts.push(performance.now() - started);
    quarters.push((times[0] ?? 0) - started);
  }
  report(
    'nodes',
    `${count} queues on ${servers.length} processes, last served (bar 60 ms)`,
    `${quantile(lasts, 0.5).toFixed(1)} ms (${Math.min(...lasts).toFixed(1)} to ${Math.max(...lasts).toFixed(1)}); the first after ${quantile(quarters, 0.5).toFixed(1)} ms`,
  );
  connection.close();
  for (const listener of listeners) listener.close();
}
