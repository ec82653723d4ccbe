import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, runCommand, type ServerProcess, startProcess } from '../support/process.ts';
import { pause } from '../support/pause.ts';
import { type Account, Follower } from './follower.ts';
import { type Grounds, Load } from './load.ts';

/** Size of the run; `npm run bench -- soak` makes it the long one. */
const CLIENTS = Number(process.env['ROOST_SOAK_CLIENTS'] ?? 20);
const SECONDS = Number(process.env['ROOST_SOAK_SECONDS'] ?? 4);
const PEOPLE = Math.max(5, Math.floor(CLIENTS / 20));
const RESTARTS = Math.max(1, Math.floor(SECONDS / 60));
/** Acts at once, and milliseconds from one to the next: together some dozen a second, ten for very many clients. */
const ACTORS = 4;
const ACT_MS = CLIENTS > 100 ? 250 : 40;
const SEED = Number(process.env['ROOST_SOAK_SEED'] ?? 20_261_121);
/** Clients that register or compare at once. */
const AT_ONCE = 20;

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(work));
}

// The whole of register and events at once: state at registering plus events is the state of registering again, for
// many clients, while much happens and the server comes and goes.
describe.each(databasesInTurn(import.meta.url))('many clients of a server that is restarted, on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let port: number;
  const start = () => startProcess(database, port, { ROOST_RATE_LIMITS: 'off' });

  beforeAll(async () => {
    database = await makeDatabase(name);
    port = await freePort();
    server = await start();
    await runCommand(database, ['account', 'permit', '--email=owner@roost.test']);
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await database.remove();
  });

  it(
    `have the state of the server at the end (seed ${SEED})`,
    async () => {
      const owner = await demoAccount(server, 'owner@roost.test');
      const people = await addPeople(server, owner, PEOPLE);
      const grounds = await prepare(server, owner, people);
      const clients = Array.from({ length: CLIENTS }, (_, index) => {
        const account = index === 0 ? owner : people[index % people.length];
        return new Follower(server.url, account ?? owner);
      });
      await inTurns(clients, (client) => client.begin());

      const load = new Load(server.url, SEED, people, owner, grounds);
      let isOver = false;
      const actors = Array.from({ length: ACTORS }, async () => {
        while (!isOver) await Promise.all([load.step(), pause(ACT_MS)]);
      });
      const restarts = async () => {
        const between = (SECONDS * 1000) / (RESTARTS + 1);
        for (let restart = 0; restart < RESTARTS; restart++) {
          await pause(between);
          await server.kill(restart % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
          server = await start();
        }
        await pause(between);
        isOver = true;
      };
      await Promise.all([...actors, restarts()]);
      await inTurns(clients, (client) => client.end());

      const heard = clients.reduce((sum, client) => sum + client.heard, 0);
      process.stdout.write(
        `soak on ${name}: ${CLIENTS} clients, ${load.done} acts, ${heard} events, ${RESTARTS} restarts\n`,
      );
      expect(load.done).toBeGreaterThan(0);
      await inTurns(clients, async (client) => {
        const { kept, fresh } = await client.compared();
        expect(kept).toEqual(fresh);
        expect(client.heard).toBeGreaterThan(0);
      });
    },
    SECONDS * 2000 + 600_000,
  );
});

async function addPeople(server: ServerProcess, owner: Account, count: number): Promise<readonly Account[]> {
  const people: Account[] = [];
  for (let number = 0; number < count; number++) {
    const email = `soak-${number}@roost.test`;
    const fields = { email, password: 'a long enough password', full_name: `Person ${number}` };
    const made = await call(server, owner, 'POST', '/users', fields);
    expect(made).toMatchObject({ result: 'success' });
    people.push(await demoAccount(server, email));
  }
  return people;
}

async function prepare(server: ServerProcess, owner: Account, people: readonly Account[]): Promise<Grounds> {
  const subscribers = people.map(({ user_id }) => user_id);
  const channels: number[] = [];
  for (const name of ['soak one', 'soak two', 'soak three']) {
    channels.push((await call(server, owner, 'POST', '/channels/create', { name, subscribers }))['id']);
  }
  const doors = ['door one', 'door two', 'door three'];
  for (const name of doors) await call(server, owner, 'POST', '/channels/create', { name, subscribers: [] });
  const group = { name: 'soakers', description: '', members: subscribers };
  const { group_id } = await call(server, owner, 'POST', '/user_groups/create', group);
  return { talk: channels, doors, groupId: group_id };
}
