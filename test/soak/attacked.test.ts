import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
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
/** Each client hears one message a second, and asks again after each. */
const CHANNELS = Math.max(1, Math.floor(CLIENTS / 100));
const SENDS_PER_SECOND = CHANNELS;
const PEOPLE = Math.min(40, Math.max(4, Math.floor(CLIENTS / 20)));
const TOPIC = 'weather';
const MIB = 2 ** 20;
const ATTACKER = fileURLToPath(new URL('attacker.ts', import.meta.url));
const DECOY = fileURLToPath(new URL('decoy.ts', import.meta.url));
const HEARERS = fileURLToPath(new URL('hearers.ts', import.meta.url));

/** Milliseconds that all but one of a hundred took no longer than. */
function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

/** Lets the attacker try each of its attacks once, and hears which it begins; its exit code, when it has. */
async function attack(port: number, round: number, begins: (name: string) => void): Promise<number | null> {
  const args = ['--conditions=source', '--import', 'tsx', ATTACKER, String(port), String(ATTACK_MS), String(round)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: 120_000 });
  // The attacker's machine is another one, whose work takes nothing of the server's processors.
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  child.stdout.on('data', (names) => begins(String(names).trim().split('\n').at(-1) ?? ''));
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
      const hearers = await startHearers(production.port, clients);
      const decoy = await startDecoy();

      const sent = channels.map(() => new Set<number>());
      let turn = 0;
      let most = 0;
      const mostAttacked = new Map<string, number>();
      let attackNow = '';
      const talk = async (times: () => number[], isOver: () => boolean) => {
        const waits: Promise<void>[] = [];
        while (!isOver()) {
          const [account, at] = [people[turn % people.length], turn % CHANNELS];
          turn++;
          if (account) waits.push(say(server.url, account, channels[at] ?? 0, times(), sent[at]));
          await pause(1000 / SENDS_PER_SECOND);
          if (turn % SENDS_PER_SECOND !== 0) continue;
          const bytes = await production.metric('process_resident_memory_bytes');
          most = Math.max(most, bytes);
          mostAttacked.set(attackNow, Math.max(mostAttacked.get(attackNow) ?? 0, bytes));
        }
        await Promise.all(waits);
      };
      const talkFor = (times: number[], milliseconds: number) => {
        const end = performance.now() + milliseconds;
        return talk(
          () => times,
          () => performance.now() >= end,
        );
      };
      /** Has a server attacked while people talk, and notes the times by attack. */
      const talkBeside = async (port: number, round: number, timesOf: Map<string, number[]>) => {
        let isOver = false;
        let times: number[] = [];
        const attacking = attack(port, round, (name) => {
          times = timesOf.get(name) ?? [];
          timesOf.set(name, times);
          attackNow = port === production.port ? name : '';
        }).finally(() => (isOver = true));
        await talk(
          () => times,
          () => isOver,
        );
        expect(await attacking).toBe(0);
        attackNow = '';
      };
      const quiet: number[] = [];
      const beside = new Map<string, number[]>();
      const attacked = new Map<string, number[]>();
      await talkFor([], QUIET_MS);
      for (let round = 0; round < ROUNDS; round++) {
        await talkFor(quiet, QUIET_MS);
        await talkBeside(decoy.port, round, beside);
        await talkBeside(production.port, round, attacked);
      }
      decoy.end();

      const heard = await hearers.heard(clients.map((_, index) => sent[index % CHANNELS]?.size ?? 0));
      hearers.end();
      process.stdout.write(
        `attacked on ${name}: ${CLIENTS} clients, ${turn} messages, p99 ${p99(quiet).toFixed(0)} ms alone and ` +
          `${p99([...attacked.values()].flat()).toFixed(0)} ms attacked (${p99([...beside.values()].flat()).toFixed(0)} ms ` +
          `while another server is), ${(most / MIB).toFixed(0)} MiB\n`,
      );
      for (const [attackName, times] of attacked)
        process.stdout.write(
          `  ${attackName}: p99 ${p99(times).toFixed(0)} ms of ${times.length} (${p99(beside.get(attackName) ?? []).toFixed(0)}), ${((mostAttacked.get(attackName) ?? 0) / MIB).toFixed(0)} MiB\n`,
        );
      expect(sent.reduce((sum, { size }) => sum + size, 0)).toBe(turn);
      for (const [index, own] of heard.entries())
        expect(own.toSorted((a, b) => a - b)).toEqual([...(sent[index % CHANNELS] ?? [])].toSorted((a, b) => a - b));
      expect(server.isRunning()).toBe(true);
      expect(server.output()).not.toMatch(/"level":"error"/);
      if (!isLong) return;
      expect(most).toBeLessThan(300 * MIB);
      // Twice what they wait while the same attacker is busy with another server: it takes of the processors, too.
      expect(p99([...attacked.values()].flat())).toBeLessThan(2 * p99([...beside.values()].flat()));
    },
    ROUNDS * 60_000 + 300_000,
  );
});

/** A bare server to be attacked instead, as far from the real one's processors as the attacker. */
async function startDecoy() {
  const child = fork(DECOY, { execArgv: ['--conditions=source', '--import', 'tsx'] });
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  const [port] = await once(child, 'message');
  return { port: Number(port), end: () => child.kill() };
}

/** Those who listen, in their own process, each with a queue. */
async function startHearers(port: number, clients: readonly Account[]) {
  const child = fork(HEARERS, [String(port), TOPIC], { execArgv: ['--conditions=source', '--import', 'tsx'] });
  const answer = async () => (await once(child, 'message'))[0];
  child.send({ accounts: clients.map(({ user_id: id, email, api_key }) => ({ id, email, api_key })) });
  expect(await answer()).toBe('ready');
  return {
    /** The IDs that each has heard, once each has heard so many. */
    heard: async (expected: readonly number[]): Promise<readonly number[][]> => {
      child.send({ expected });
      return answer();
    },
    end: () => child.kill(),
  };
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
