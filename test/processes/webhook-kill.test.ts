import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BotServer, startBotServer } from '../support/bot-server.ts';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { openSuccessor } from '../support/successor.ts';

const environment = { ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8' };
const COUNT = 12;

describe.each(databasesInTurn(import.meta.url))('a server killed while it calls outgoing webhooks, on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let botServer: BotServer;
  beforeAll(async () => {
    botServer = await startBotServer();
    database = await makeDatabase(name);
    server = await startProcess(database, await freePort(), environment);
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await database.remove();
    await botServer.close();
  });

  it('makes every call, of commands and of rules, when another server has taken over', async () => {
    const max = await demoAccount(server, 'member@roost.test');
    const made = await call(server, max, 'POST', '/bots', {
      full_name: 'Crane',
      short_name: 'crane',
      bot_type: 3,
      payload_url: JSON.stringify(botServer.url),
    });
    const bot_id = made['user_id'];
    await call(server, max, 'POST', '/bot_commands', { bot_id, name: 'lift', description: 'Lifts' });
    await call(server, max, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'quay' }] });
    const { stream_id } = await call(server, max, 'GET', '/get_stream_id', { stream: 'quay' });
    const rule = await call(server, max, 'POST', `/streams/${stream_id}/rules`, { bot_id, words: ['load'] });
    expect(rule['result']).toBe('success');
    // The bot's server is silent as long as the first server lives.
    botServer.answer(() => undefined);
    const place = { type: 'channel', to: 'quay', topic: 'cargo' };
    const sent = await Promise.all(
      Array.from({ length: COUNT }, (_, index) =>
        call(server, max, 'POST', '/messages', {
          ...place,
          content: index % 2 === 0 ? `/lift ${index}` : `load ${index}`,
        }),
      ),
    );
    await expect.poll(() => botServer.calls.length).toBeGreaterThan(0);
    await server.kill('SIGKILL');
    botServer.reset();
    const successor = await openSuccessor(database, environment);
    await successor.stop();
    const called = botServer.calls.map(({ body }) => body['message'].id);
    expect(called.toSorted((a, b) => a - b)).toEqual(sent.map(({ id }) => id).toSorted((a, b) => a - b));
    expect(new Set(botServer.calls.map(({ body }) => body['trigger']))).toEqual(new Set(['command', 'rule']));
    expect(new Set(botServer.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(COUNT);
  });
});
