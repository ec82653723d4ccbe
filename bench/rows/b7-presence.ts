import { cpuSeconds } from '../support/child.ts';
import { type Account, Connection, request } from '../support/connection.ts';
import { prepare, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';

const USERS = 5000;
/** Pings a second: a minute's of 5,000 people, spread evenly. */
const RATE = USERS / 60;
const SECONDS = 15;
/** Share of pings that change what others see. */
const FLIPS = 0.3;

interface Person {
  readonly account: Account;
  readonly connection: Connection;
  last: number;
}

/** B7: presence pings at the pace of 5,000 people who have what came before; then all of them at once. */
export async function b7(): Promise<void> {
  const { folder, accounts, remove } = await prepare({ users: USERS, channels: 1, subscribers: 10 });
  const server = await startRoost(folder);
  const people: Person[] = [];
  for (const account of accounts) people.push({ account, connection: await Connection.open(server.port), last: -1 });

  await Promise.all(people.map((person) => ping(person, 'active', true)));
  const [first] = people;
  if (first) await ping(first, 'active');
  for (const person of people) person.last = first?.last ?? 0;

  const [before, times] = [cpuSeconds(server.pid), await pace(people)];
  const cpu = (1000 * (cpuSeconds(server.pid) - before)) / times.length;
  report(
    'B7',
    `${RATE.toFixed(0)} pings a second (bars 0.5 ms of processor, p99 20 ms)`,
    `${cpu.toFixed(2)} ms of processor each, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
  );
  const share = (10_000 / 60) * (cpu / 1000) * 100;
  report('B7', '10,000 people, one ping a minute each (bar 10 % of a core)', `${share.toFixed(1)} % of a core`);
  const storm = await timed(() => Promise.all(people.map((person) => ping(person, 'active'))));
  report('B7', `${USERS} people at once (bar 10 s)`, `${(storm / 1000).toFixed(1)} s`);
  for (const { connection } of people) connection.close();
  await server.stop();
  remove();
}

/** Pings at an even pace; the milliseconds of each. */
async function pace(people: readonly Person[]): Promise<number[]> {
  const pings: Promise<number>[] = [];
  const started = performance.now();
  for (let sent = 0; sent < RATE * SECONDS; sent++) {
    const person = people[sent % people.length];
    if (!person) break;
    const status = Math.random() < FLIPS ? 'idle' : 'active';
    pings.push(timed(() => ping(person, status)));
    const due = started + ((sent + 1) * 1000) / RATE;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  }
  return Promise.all(pings);
}

async function ping(person: Person, status: string, ping_only = false): Promise<void> {
  const fields = { status, new_user_input: status === 'active', ping_only, last_update_id: person.last };
  const body = await person.connection.send(request(person.account, 'POST', '/users/me/presence', fields));
  const answer: { presence_last_update_id: number } = JSON.parse(body.toString());
  person.last = answer.presence_last_update_id;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
