import { cpuSeconds, residentMib } from '../support/child.ts';
import { type Account, Connection, request } from '../support/connection.ts';
import { Listener } from '../support/listener.ts';
import { makePostgres, POSTGRES_URL } from '../support/postgres.ts';
import { databaseOf, prepare, startRoost } from '../support/roost.ts';
import { report } from '../support/statistics.ts';

const SECONDS = Number(process.env['BENCH_MEMORY_SECONDS'] ?? 540);
const FOLLOWERS = 200;
const MESSAGES_PER_SECOND = 35;
/** Number of senders who take turns, each with a connection of their own. */
const SENDERS = 20;
const ALL = { event_types: ['message', 'update_message', 'reaction'], fetch_event_types: [] };
const FIELDS = { type: 'channel', to: 'channel 0', topic: 'bench', content: 'one for all, and **much** of it' };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Memory under load: many polling clients, and messages of which one in five is edited and one in five gets a reaction.
 */
export async function memory(): Promise<void> {
  const made = POSTGRES_URL === undefined ? undefined : await makePostgres(POSTGRES_URL);
  const size = { users: FOLLOWERS, channels: 1, subscribers: FOLLOWERS };
  const { folder, accounts, remove } = await prepare(size, made?.url);
  const server = await startRoost(folder, databaseOf(made?.url));
  let [deliveries, most, sent] = [0, 0, 0];
  const end = performance.now() + 1000 * SECONDS;
  const listeners = await Promise.all(accounts.map((account) => Listener.register(server.port, account, ALL)));
  for (const listener of listeners) void follow(listener, (events) => (deliveries += events));
  const used = cpuSeconds(server.pid);
  const sending = Promise.all(
    accounts.slice(0, SENDERS).map((account) => talk(server.port, account, end, () => sent++)),
  );
  while (performance.now() < end) {
    await pause(500);
    most = Math.max(most, residentMib(server.pid));
  }
  await sending;
  report(
    'memory',
    `${FOLLOWERS} followers, ${sent.toLocaleString('en')} messages in ${SECONDS} s (bar 300 MiB)`,
    `${most.toFixed(0)} MiB at most, ${residentMib(server.pid).toFixed(0)} at the end; ${deliveries.toLocaleString('en')} deliveries; server ${((100 * (cpuSeconds(server.pid) - used)) / SECONDS).toFixed(0)} % of a core`,
  );
  for (const listener of listeners) listener.close();
  await server.stop('SIGKILL');
  remove();
  await made?.remove();
}

/** Polls until the connection is closed. */
async function follow(listener: Listener, heard: (events: number) => void): Promise<void> {
  try {
    for (;;) heard((await listener.next()).length);
  } catch {
    // The connection was closed at the end of the run.
  }
}

/** Sends a share of the messages; edits every fifth, and adds a reaction to the one after it. */
async function talk(port: number, account: Account, end: number, sent: () => void): Promise<void> {
  const connection = await Connection.open(port);
  const everyMs = (1000 * SENDERS) / MESSAGES_PER_SECOND;
  for (let turn = 0, next = performance.now(); next < end; turn++, next += everyMs) {
    await pause(Math.max(0, next - performance.now()));
    const { id }: { id: number } = JSON.parse(
      (await connection.send(request(account, 'POST', '/messages', FIELDS))).toString(),
    );
    sent();
    if (turn % 5 === 0)
      await connection.send(request(account, 'PATCH', `/messages/${id}`, { content: `${FIELDS.content}, once more` }));
    if (turn % 5 === 1)
      await connection.send(request(account, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }));
  }
  connection.close();
}
