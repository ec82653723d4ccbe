import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { call, runCommand } from '../support/process.ts';
import { type Production, startProduction } from '../support/production.ts';
import { type Account, request } from './follower.ts';

/** Size of the run; `npm run bench -- attacked` makes it the long one, which alone is judged by its times. */
const CLIENTS = Number(process.env['ROOST_SOAK_CLIENTS'] ?? 20);
const ROUNDS = Number(process.env['ROOST_SOAK_ROUNDS'] ?? 1);
const isLong = process.env['ROOST_SOAK_CLIENTS'] !== undefined;
/** Milliseconds of each round without the attacker, and of each attack. */
const QUIET_MS = isLong ? 5000 : 1000;
const ATTACK_MS = isLong ? 1000 : 300;
/** Polls count as requests, of which everybody has 200 a minute: no client hears more than two messages a second. */
const CHANNELS = Math.max(1, Math.floor(CLIENTS / 100));
const SENDS_PER_SECOND = 2 * CHANNELS;
const PEOPLE = Math.min(40, Math.max(4, Math.floor(CLIENTS / 20)));
/** No request waits longer than this for others that are served first, attacked or not: below it, twice is no slowness. */
const UNFELT_MS = 100;
const TOPIC = 'weather';
const MIB = 2 ** 20;
const ATTACKER = fileURLToPath(new URL('attacker.ts', import.meta.url));

/** Milliseconds that all but one of a hundred took no longer than. */
function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

/** Lets the attacker try each of its attacks once; its exit code, when it has. */
async function attack(port: number, round: number): Promise<number | null> {
  const args = ['--conditions=source', '--import', 'tsx', ATTACKER, String(port), String(ATTACK_MS), String(round)];
  const child = spawn(process.execPath, args, { stdio: 'inherit', timeout: 120_000 });
  const [code] = await once(child, 'exit');
  return code;
}

describe.each(databasesInTurn(import.meta.url))('people who talk while the server is attacked, on %s', (name) => {
  let production: Production;
  beforeAll(async () => {
    production = await startProduction(name);
    await runCommand(production.database, ['account', 'permit', `--email=${production.owner.email}`]);
  });
  afterAll(() => production.stop());

  it(
    isLong ? 'wait at most twice as long, lose nothing, and the server stays small' : 'lose nothing',
    async () => {
      const { server, owner } = production;
      const people = await addPeople(production);
      const clients = await addClients(production, people);
      const channels: number[] = [];
      for (let number = 0; number < CHANNELS; number++) {
        const subscribers = [...people, ...clients.filter((_, index) => index % CHANNELS === number)];
        const fields = { name: `talk ${number}`, subscribers: subscribers.map(({ user_id }) => user_id) };
        channels.push((await call(server, owner, 'POST', '/channels/create', fields))['id']);
      }
      const listeners = clients.map((account) => new Listener(server.url, account));
      for (let at = 0; at < listeners.length; at += 20)
        await Promise.all(listeners.slice(at, at + 20).map((listener) => listener.register()));
      const stop = new AbortController();
      const hearing = listeners.map((listener) => listener.listen(stop.signal));

      const sent = channels.map(() => new Set<number>());
      let turn = 0;
      let most = 0;
      const talk = async (times: number[], isOver: () => boolean) => {
        const waits: Promise<void>[] = [];
        while (!isOver()) {
          const [account, at] = [people[turn % people.length], turn % CHANNELS];
          turn++;
          if (account) waits.push(say(server.url, account, channels[at] ?? 0, times, sent[at]));
          await pause(1000 / SENDS_PER_SECOND);
          if (turn % SENDS_PER_SECOND === 0)
            most = Math.max(most, await production.metric('process_resident_memory_bytes'));
        }
        await Promise.all(waits);
      };
      const talkFor = (times: number[], milliseconds: number) => {
        const end = performance.now() + milliseconds;
        return talk(times, () => performance.now() >= end);
      };
      const quiet: number[] = [];
      const attacked: number[] = [];
      await talkFor([], QUIET_MS);
      for (let round = 0; round < ROUNDS; round++) {
        await talkFor(quiet, QUIET_MS);
        let isOver = false;
        const attacking = attack(production.port, round).finally(() => (isOver = true));
        await talk(attacked, () => isOver);
        expect(await attacking).toBe(0);
      }

      await Promise.all(listeners.map((listener, index) => listener.until(sent[index % CHANNELS])));
      stop.abort();
      await Promise.all(hearing);
      process.stdout.write(
        `attacked on ${name}: ${CLIENTS} clients, ${turn} messages, p99 ${p99(quiet).toFixed(0)} ms alone and ` +
          `${p99(attacked).toFixed(0)} ms attacked, ${(most / MIB).toFixed(0)} MiB\n`,
      );
      expect(sent.reduce((sum, { size }) => sum + size, 0)).toBe(turn);
      for (const [index, { heard }] of listeners.entries())
        expect(heard.toSorted((a, b) => a - b)).toEqual([...(sent[index % CHANNELS] ?? [])].toSorted((a, b) => a - b));
      expect(server.isRunning()).toBe(true);
      expect(server.output()).not.toMatch(/"level":"error"/);
      if (!isLong) return;
      expect(most).toBeLessThan(300 * MIB);
      expect(p99(attacked)).toBeLessThan(Math.max(2 * p99(quiet), UNFELT_MS));
    },
    ROUNDS * 60_000 + 300_000,
  );
});

/** A client that hears of every message. */
class Listener {
  readonly #url: string;
  readonly #account: Account;
  #queue: { queue_id: string; last_event_id: number } = { queue_id: '', last_event_id: -1 };
  /** IDs of messages, each as often as it came. */
  readonly heard: number[] = [];

  constructor(url: string, account: Account) {
    this.#url = url;
    this.#account = account;
  }

  async register(): Promise<void> {
    const fields = { event_types: ['message'] };
    const { queue_id, last_event_id } = await request(this.#url, this.#account, 'POST', '/register', fields);
    if (queue_id === undefined) throw new Error(`${this.#account.email} got no queue`);
    this.#queue = { queue_id, last_event_id };
  }

  /** Polls until it is told to stop. */
  async listen(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const reply = await request(this.#url, this.#account, 'GET', '/events', this.#queue, signal).catch(
        () => undefined,
      );
      for (const { id, message } of reply?.['events'] ?? []) {
        this.#queue.last_event_id = id;
        // The server itself tells of new channels.
        if (message?.subject === TOPIC) this.heard.push(message.id);
      }
      if (!reply?.['events'] && !signal.aborted) await pause(500);
    }
  }

  /** Waits for messages, some seconds at most. */
  async until(sent: ReadonlySet<number> = new Set()): Promise<void> {
    const deadline = performance.now() + 20_000;
    while (this.heard.length < sent.size && performance.now() < deadline) await pause(50);
  }
}

async function say(url: string, account: Account, channel: number, times: number[], sent?: Set<number>): Promise<void> {
  const began = performance.now();
  const fields = { type: 'channel', to: channel, topic: TOPIC, content: 'while others shout' };
  const reply = await request(url, account, 'POST', '/messages', fields);
  times.push(performance.now() - began);
  expect(reply).toMatchObject({ result: 'success' });
  sent?.add(reply['id']);
}

/** Makes accounts by the API, and logs each in. */
async function addPeople({ server, owner }: Production): Promise<readonly Account[]> {
  const people: Account[] = [];
  for (let number = 0; number < PEOPLE; number++) {
    const email = `talker-${number}@roost.test`;
    const password = 'a long enough pass phrase of nobody';
    const made = await call(server, owner, 'POST', '/users', { email, password, full_name: `Talker ${number}` });
    expect(made).toMatchObject({ result: 'success' });
    const nobody = { email: '', api_key: '' };
    const login = await call(server, nobody, 'POST', '/fetch_api_key', { username: email, password });
    people.push({ email, api_key: login['api_key'], user_id: login['user_id'] });
  }
  return people;
}

/** Makes those who listen: bots of the people, because each has a rate of its own and no password to be hashed. */
async function addClients({ server }: Production, people: readonly Account[]): Promise<readonly Account[]> {
  const clients: Account[] = [];
  for (let number = 0; number < CLIENTS; number++) {
    const owner = people[number % people.length];
    if (!owner) throw new Error('nobody is there');
    const fields = { short_name: `listener-${number}`, full_name: `Listener ${number}` };
    const { user_id, api_key } = await call(server, owner, 'POST', '/bots', fields);
    expect(user_id).toBeGreaterThan(0);
    clients.push({ email: `listener-${number}-bot@localhost`, api_key, user_id });
  }
  return clients;
}
