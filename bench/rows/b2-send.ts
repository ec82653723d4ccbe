import { Connection, request } from '../support/connection.ts';
import { startFloor } from '../support/floor.ts';
import { makePostgres, POSTGRES_URL } from '../support/postgres.ts';
import { databaseOf, prepare, startRoost } from '../support/roost.ts';
import { quantile, report, spread } from '../support/statistics.ts';

const SECONDS = 4;
const CONTENT = 'Hello @**User Number 1**, see [the notes](https://example.com/notes) and **reply** by noon.';

/**
 * B0 and B2: durable sends per second with 1, 8 and 64 senders on each database, compared with the floor in the same
 * run.
 */
export async function b2(): Promise<void> {
  await sendsOn('SQLite', undefined);
  if (POSTGRES_URL !== undefined) {
    const { url, remove } = await makePostgres(POSTGRES_URL);
    await sendsOn('PostgreSQL', url);
    await remove();
  }
  await costBySubscribers();
}

/** Alternates with the floor, which is SQLite's for both databases, so that the results are comparable. */
async function sendsOn(name: string, url: string | undefined): Promise<void> {
  const { folder, accounts, remove } = await prepare({ users: 70, channels: 1, subscribers: 2 }, url);
  const [server, floor] = [await startRoost(folder, databaseOf(url)), await startFloor()];
  const fields = { type: 'channel', to: 'channel 0', topic: 'bench', content: CONTENT };
  for (const senders of [1, 8, 64]) {
    const bytes = (index: number) => request(accounts[index % accounts.length], 'POST', '/messages', fields);
    await load(server.port, senders, 1, bytes);
    const ours = await load(server.port, senders, SECONDS, bytes);
    const bare = await load(floor.port, senders, SECONDS, bytes);
    const share = ((100 * ours.length) / bare.length).toFixed(0);
    report('B2', `${name}, ${senders} sender(s)`, `${(ours.length / SECONDS).toFixed(0)}/s, ${spread(ours)}`);
    report(
      'B0',
      `${senders} sender(s), floor`,
      `${(bare.length / SECONDS).toFixed(0)}/s, ${spread(bare)}; ours is ${share} % of it`,
    );
  }
  await Promise.all([server.stop(), floor.stop()]);
  remove();
}

/** Compares a send with 10 and with 10,000 subscribers (bar 1.3 times). */
async function costBySubscribers(): Promise<void> {
  const medians: number[] = [];
  for (const subscribers of [10, 10_000]) {
    const { folder, accounts, remove } = await prepare({ users: Math.max(20, subscribers), channels: 1, subscribers });
    const server = await startRoost(folder);
    const bytes = () =>
      request(accounts[0], 'POST', '/messages', { type: 'channel', to: 'channel 0', topic: 'bench', content: CONTENT });
    await load(server.port, 1, 1, bytes);
    medians.push(quantile(await load(server.port, 1, SECONDS, bytes), 0.5));
    await server.stop();
    remove();
  }
  const [few = 0, many = 0] = medians;
  report(
    'B2',
    'one send, 10 and 10,000 subscribers (bar 1.3x)',
    `${few.toFixed(2)} and ${many.toFixed(2)} ms, ${(many / few).toFixed(2)}x`,
  );
}

/** Returns the milliseconds of each send that so many senders finish in so many seconds. */
async function load(
  port: number,
  senders: number,
  seconds: number,
  bytes: (sender: number) => Buffer,
): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      const connection = await Connection.open(port);
      const message = bytes(sender);
      while (performance.now() < end) {
        const started = performance.now();
        await connection.send(message);
        times.push(performance.now() - started);
      }
      connection.close();
    }),
  );
  return times;
}
