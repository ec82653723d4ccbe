import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { openSuccessor } from '../support/successor.ts';

const COUNT = 60;
/** The demo's own messages are not counted. */
const isOurs = (content: string) => content.startsWith('scheduled ');

describe.each(databasesInTurn(import.meta.url))('a server killed while it sends scheduled messages, on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  beforeAll(async () => {
    database = await makeDatabase(name);
    server = await startProcess(database, await freePort());
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await database.remove();
  });

  /** What is left of the work, done by a server that comes later. */
  const finishLater = async (account: { email: string; api_key: string; user_id: number }) => {
    const successor = await openSuccessor(database);
    const client = new Client(successor, account);
    const { scheduled_messages } = await client.get('/scheduled_messages');
    const narrow = [
      { operator: 'sender', operand: account.email },
      { operator: 'is', operand: 'dm' },
    ];
    const { messages } = await client.get('/messages', {
      anchor: 'newest',
      num_before: 1000,
      num_after: 0,
      narrow,
      apply_markdown: false,
    });
    await successor.stop();
    return {
      waiting: scheduled_messages,
      sent: messages.map((message: { content: string }) => message.content).filter(isOurs),
    };
  };

  it('has sent each once when another server has taken over', async () => {
    const max = await demoAccount(server, 'member@roost.test');
    const mia = await demoAccount(server, 'member2@roost.test');
    const narrow = [['is', 'dm']];
    const queue = await call(server, mia, 'POST', '/register', { event_types: ['message'], narrow });
    const contents = Array.from({ length: COUNT }, (_, number) => `scheduled ${number}`);
    const fields = {
      type: 'direct',
      to: [mia.user_id],
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 4,
    };
    const replies = await Promise.all(
      contents.map((content) => call(server, max, 'POST', '/scheduled_messages', { ...fields, content })),
    );
    expect(replies.map((reply) => reply['result'])).toEqual(contents.map(() => 'success'));
    // The first message has come: the others are claimed, and most of them not sent yet.
    const { queue_id, last_event_id } = queue;
    const { events } = await call(server, mia, 'GET', '/events', { queue_id, last_event_id });
    await server.kill('SIGKILL');
    expect(events.length).toBeGreaterThan(0);
    const { waiting, sent } = await finishLater(max);
    expect(waiting).toEqual([]);
    expect(sent).toHaveLength(COUNT);
    expect(new Set(sent)).toEqual(new Set(contents));
  });
});
