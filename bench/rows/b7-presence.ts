import { type Child, cpuSeconds } from '../support/child.ts';
import { type Account, Connection, request } from '../support/connection.ts';
import { startFloor } from '../support/floor.ts';
import { lastUpdateOf, pingRequest } from '../support/presence.ts';
import { prepare, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';

const USERS = Number(process.env['BENCH_USERS'] ?? 5000);
/**
 * Seconds between two pings of a person, as clients send them; longer than the interval within which a ping writes
 * nothing.
 */
const ROUND = 60;
/** Share of pings that change the presence others see. */
const FLIPS = 0.3;

interface Person {
  readonly account: Account;
  readonly port: number;
  /** Opened with the first ping: the server closes connections on which nothing comes. */
  connection: Connection | undefined;
  last: number;
}

/** An answered ping. */
interface Pinged {
  readonly ms: number;
  readonly body: Buffer | undefined;
}

/** Parameters of a person's pings. */
interface Manner {
  readonly status: () => 'active' | 'idle';
  readonly ping_only: boolean;
  readonly takesGzip: boolean;
}

const ACTIVE: Manner = { status: () => 'active', ping_only: false, takesGzip: false };
const ACTIVE_PACKED: Manner = { ...ACTIVE, takesGzip: true };
const MIXED: Manner = { ...ACTIVE, status: () => (Math.random() < FLIPS ? 'idle' : 'active') };
const MIXED_PACKED: Manner = { ...MIXED, takesGzip: true };
const MIXED_ALONE: Manner = { ...MIXED, ping_only: true };

/**
 * B7: everybody pings once a minute, evenly spread. Each ping is written, and answered with what all others have
 * written since the person's last one: the steady state of people who are all active. Then the same compressed, and
 * without data; then all pings at once with the same news, uncompressed and compressed.
 */
export async function b7(): Promise<void> {
  const { folder, accounts, remove } = await prepare({ users: USERS, channels: 1, subscribers: 10 });
  const server = await startRoost(folder);
  const people: Person[] = [];
  for (const account of accounts) people.push(person(account, server.port, -1));

  // An unmeasured round, after which each ping is answered with exactly the others' last round.
  await pace(people, ROUND, MIXED);
  const answer = await measured('with data', server, people, ROUND, MIXED);
  await measured('with data by gzip', server, people, ROUND, MIXED_PACKED);
  await measured('ping_only', server, people, ROUND, MIXED_ALONE);
  const known = people.map(({ last }) => last);
  await storm(server, people, ACTIVE);
  for (const [index, one] of people.entries()) one.last = known[index] ?? 0;
  await storm(server, people, ACTIVE_PACKED);
  const [first] = people;
  if (first) await ping(first, ACTIVE);
  for (const one of people) one.last = first?.last ?? 0;
  await measured('nothing to write, nothing new', server, people, 15, ACTIVE);
  for (const { connection } of people) connection?.close();
  await server.stop();
  remove();
  await floor(accounts, answer);
}

function person(account: Account, port: number, last: number): Person {
  return { account, port, connection: undefined, last };
}

/** Sends everybody's pings at once. */
async function storm(server: Child, people: readonly Person[], manner: Manner): Promise<void> {
  const before = cpuSeconds(server.pid);
  const started = performance.now();
  const bytes = await Promise.all(people.map(async (one) => (await ping(one, manner)).length));
  const seconds = (performance.now() - started) / 1000;
  const kib = bytes.reduce((sum, length) => sum + length, 0) / bytes.length / 1024;
  report(
    'B7',
    `${USERS} people at once${manner.takesGzip ? ' by gzip' : ''} (bar 10 s)`,
    `${seconds.toFixed(1)} s, ${(cpuSeconds(server.pid) - before).toFixed(1)} s of the server's processor time, \
answers of ${kib.toFixed(1)} KiB`,
  );
}

/**
 * Sends the same requests to a bare HTTP server that parses the form and answers with the bytes of one ping's answer.
 */
async function floor(accounts: readonly Account[], answer: string): Promise<void> {
  const server = await startFloor();
  const people: Person[] = [];
  for (const account of accounts) people.push(person(account, server.port, 1));
  for (const [name, kept] of [
    ['with data', answer],
    ['ping_only', JSON.stringify({ result: 'success', msg: '', presence_last_update_id: 1 })],
  ] as const) {
    const teacher = await Connection.open(server.port);
    await teacher.send(request(undefined, 'POST', '/keep', { answer: kept }));
    teacher.close();
    await measured(`floor, ${name}`, server, people, 20, MIXED);
  }
  for (const { connection } of people) connection?.close();
  await server.stop();
}

/** Sends pings at the pace, reports the server's processor time, and returns an answer from the middle. */
async function measured(
  name: string,
  server: Child,
  people: readonly Person[],
  seconds: number,
  manner: Manner,
): Promise<string> {
  const before = cpuSeconds(server.pid);
  const done = await pace(people, seconds, manner);
  const cpu = (1000 * (cpuSeconds(server.pid) - before)) / done.length;
  const p99 = quantile(
    done.map(({ ms }) => ms),
    0.99,
  );
  const answer = done.find(({ body }) => body !== undefined)?.body ?? Buffer.alloc(0);
  const share = (USERS / ROUND) * (cpu / 1000) * 100;
  report(
    'B7',
    `${USERS} people, ${name} (bars 0.5 ms, p99 20 ms)`,
    `${cpu.toFixed(2)} ms of processor each, p99 ${p99.toFixed(1)} ms, answers of ${(answer.length / 1024).toFixed(1)} KiB; \
${share.toFixed(1)} % of a core at a ping a minute`,
  );
  return answer.toString();
}

/** Sends pings at the pace of one round for `seconds`, each person in turn. */
async function pace(people: readonly Person[], seconds: number, manner: Manner): Promise<Pinged[]> {
  const rate = people.length / ROUND;
  const pings: Promise<Pinged>[] = [];
  const started = performance.now();
  for (let sent = 0; sent < rate * seconds; sent++) {
    const person = people[sent % people.length];
    if (!person) break;
    const begun = performance.now();
    // Only one answer is kept: all of them would take gigabytes.
    const isKept = sent === Math.floor((rate * seconds) / 2);
    pings.push(
      ping(person, manner).then((body) => ({
        ms: performance.now() - begun,
        body: isKept ? body : undefined,
      })),
    );
    const due = started + ((sent + 1) * 1000) / rate;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  }
  return Promise.all(pings);
}

/** Sends a ping and returns the body; reads only its head, so that the client's load does not dominate. */
async function ping(person: Person, { status: statusNow, ping_only, takesGzip }: Manner): Promise<Buffer> {
  const status = statusNow();
  // On a slow machine the server may close a connection that was idle for longer than a round.
  if (!person.connection || person.connection.isClosed) person.connection = await Connection.open(person.port);
  const bytes = pingRequest(person.account, { status, ping_only, takesGzip, last: person.last });
  const body = await person.connection.send(bytes);
  person.last = lastUpdateOf(body);
  return body;
}
