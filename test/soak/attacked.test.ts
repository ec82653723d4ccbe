import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { call, runCommand } from '../support/process.ts';
import { type Production, startProduction } from '../support/production.ts';
import { type Account, request } from './follower.ts';

/** Size of the run; `npm run bench -- attacked` makes it the long one. */
const CLIENTS = Number(process.env['ROOST_SOAK_CLIENTS'] ?? 20);
const ROUNDS = Number(process.env['ROOST_SOAK_ROUNDS'] ?? 1);
/** Milliseconds of each round without the attacker, and with it; it gets through all of its attacks. */
const ROUND_MS = 5000;
const TURN_MS = 500;
/** Messages that everybody together sends in a second. */
const SENDS_PER_SECOND = 20;
const PEOPLE = Math.min(40, Math.max(10, Math.floor(CLIENTS / 20)));
/** Waits of which a hundredth is more than chance; the short form has fewer, and prints theirs without judging them. */
const ENOUGH = 1000;
/** No request waits longer than this for others that are served first, attacked or not: below it, twice is no slowness. */
const UNFELT_MS = 100;
const MIB = 2 ** 20;
const ATTACKER = fileURLToPath(new URL('attacker.ts', import.meta.url));

/** Milliseconds that all but one of a hundred took no longer than. */
function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

/** Starts to attack a port; what is returned ends it. */
function attack(port: number): () => Promise<void> {
  const args = ['--conditions=source', '--import', 'tsx', ATTACKER, String(port), String(TURN_MS)];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  return async () => {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  };
}

// By its command only: people who talk this fast reach their own rate on a fast machine.
describe.runIf(process.env['ROOST_SOAK_CLIENTS']).each(databases)(
  'people who talk while the server is attacked, on %s',
  (name) => {
    let production: Production;
    beforeAll(async () => {
      production = await startProduction(name);
      await runCommand(production.database, ['account', 'permit', `--email=${production.owner.email}`]);
    });
    afterAll(() => production.stop());

    it(
      'wait at most twice as long, lose nothing, and the server stays small',
      async () => {
        const { server } = production;
        const people = await addPeople(production);
        const channel = (
          await call(server, production.owner, 'POST', '/channels/create', {
            name: 'talk',
            subscribers: people.map(({ user_id }) => user_id),
          })
        )['id'];
        const stop = new AbortController();
        const listeners = Array.from({ length: CLIENTS }, (_, index) => {
          const account = people[index % people.length];
          if (!account) throw new Error('nobody is there');
          return new Listener(server.url, account);
        });
        for (let at = 0; at < listeners.length; at += 20)
          await Promise.all(listeners.slice(at, at + 20).map((listener) => listener.register()));
        const hearing = listeners.map((listener) => listener.listen(stop.signal));

        const sent = new Set<number>();
        const quiet: number[] = [];
        const attacked: number[] = [];
        let most = 0;
        const talk = async (times: number[]) => {
          const end = performance.now() + ROUND_MS;
          const waits: Promise<void>[] = [];
          for (let turn = 0; performance.now() < end; turn++) {
            const account = people[turn % people.length];
            if (account) waits.push(say(server.url, account, channel, times, sent));
            await pause(1000 / SENDS_PER_SECOND);
            if (turn % 20 === 0) most = Math.max(most, await production.metric('process_resident_memory_bytes'));
          }
          await Promise.all(waits);
        };
        await talk([]);
        for (let round = 0; round < ROUNDS; round++) {
          await talk(quiet);
          const end = attack(production.port);
          await pause(1000);
          await talk(attacked);
          await end();
        }

        const last = Math.max(...sent);
        await Promise.all(listeners.map((listener) => listener.until(last)));
        stop.abort();
        await Promise.all(hearing);
        process.stdout.write(
          `attacked on ${name}: ${CLIENTS} clients, ${sent.size} messages, p99 ${p99(quiet).toFixed(0)} ms alone and ` +
            `${p99(attacked).toFixed(0)} ms attacked, ${(most / MIB).toFixed(0)} MiB\n`,
        );
        expect(most).toBeLessThan(300 * MIB);
        if (attacked.length >= ENOUGH) expect(p99(attacked)).toBeLessThan(Math.max(2 * p99(quiet), UNFELT_MS));
        for (const { heard } of listeners) expect([...sent].filter((id) => !heard.has(id))).toEqual([]);
        expect(server.output()).not.toMatch(/"level":"error"/);
      },
      ROUNDS * ROUND_MS * 3 + 300_000,
    );
  },
);

/** A client that hears of every message. */
class Listener {
  readonly #url: string;
  readonly #account: Account;
  #queue: { queue_id: string; last_event_id: number } = { queue_id: '', last_event_id: -1 };
  readonly heard = new Set<number>();

  constructor(url: string, account: Account) {
    this.#url = url;
    this.#account = account;
  }

  async register(): Promise<void> {
    const fields = { event_types: ['message'] };
    const { queue_id, last_event_id } = await request(this.#url, this.#account, 'POST', '/register', fields);
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
        if (message) this.heard.add(message.id);
      }
      if (!reply?.['events'] && !signal.aborted) await pause(500);
    }
  }

  async until(message: number): Promise<void> {
    const deadline = performance.now() + 20_000;
    while (!this.heard.has(message) && performance.now() < deadline) await pause(50);
  }
}

async function say(url: string, account: Account, channel: number, times: number[], sent: Set<number>): Promise<void> {
  const began = performance.now();
  const fields = { type: 'channel', to: channel, topic: 'talk', content: 'while others shout' };
  const reply = await request(url, account, 'POST', '/messages', fields);
  times.push(performance.now() - began);
  expect(reply).toMatchObject({ result: 'success' });
  sent.add(reply['id']);
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
