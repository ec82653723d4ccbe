import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';

const WRITERS = 32;

describe.each(databasesInTurn(import.meta.url))('a server killed while it writes, on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let port: number;
  beforeAll(async () => {
    database = await makeDatabase(name);
    port = await freePort();
    server = await startProcess(database, port);
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await database.remove();
  });

  it('keeps every acknowledged message and its event, none twice', async () => {
    const max = await demoAccount(server, 'member@roost.test');
    const mia = await demoAccount(server, 'member2@roost.test');
    const queue = await call(server, mia, 'POST', '/register', {
      event_types: ['message'],
      // The notices of the demo's new channels may still be on their way.
      narrow: [['is', 'dm']],
    });
    const acknowledged = new Map<number, string>();
    let isDown = false;
    const writer = async (number: number) => {
      for (let i = 0; !isDown; i++) {
        const content = `writer ${number} message ${i}`;
        const reply = await call(server, max, 'POST', '/messages', {
          type: 'direct',
          to: [mia.user_id],
          content,
        }).catch(() => undefined);
        if (reply?.['result'] !== 'success') return;
        acknowledged.set(reply['id'], content);
        if (acknowledged.size === 400) {
          isDown = true;
          await server.kill('SIGKILL');
        }
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
    expect(acknowledged.size).toBeGreaterThanOrEqual(400);

    server = await startProcess(database, port);
    const { messages } = await call(server, mia, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 5000,
      num_after: 0,
      apply_markdown: false,
    });
    const stored = new Map<number, string>(
      messages.map((message: { id: number; content: string }) => [message.id, message.content]),
    );
    for (const [id, content] of acknowledged) expect(stored.get(id)).toBe(content);
    const announced: number[] = [];
    for (let last = queue['last_event_id']; ; ) {
      const { events } = await call(server, mia, 'GET', '/events', {
        queue_id: queue['queue_id'],
        last_event_id: last,
        dont_block: true,
      });
      if (events.length === 0) break;
      announced.push(...events.map((event: { message: { id: number } }) => event.message.id));
      last = events.at(-1).id;
    }
    expect(new Set(announced).size).toBe(announced.length);
    expect(announced).toEqual(announced.toSorted((a, b) => a - b));
    for (const id of acknowledged.keys()) expect(announced).toContain(id);
    // What was stored without being acknowledged was announced too: a change and its event are one.
    const sent = [...stored].filter(([, content]) => content.startsWith('writer')).map(([id]) => id);
    expect(announced).toEqual(sent.toSorted((a, b) => a - b));
  });
});
