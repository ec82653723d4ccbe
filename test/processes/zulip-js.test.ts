import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/client.ts';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { zulip, type ZulipClient } from '../support/zulip-js.ts';

describe.each(databasesInTurn(import.meta.url))('two people talk through zulip-js on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let port: number;
  const login = (username: string) => zulip({ realm: server.url, username, password: 'roost-demo-password' });

  beforeAll(async () => {
    database = await makeDatabase(name);
    port = await freePort();
    server = await startProcess(database, port);
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await database.remove();
  });

  it('in a new channel, both ways, with queues that survive a restart of the server', async () => {
    const [max, mia] = [await login('member@roost.test'), await login('member2@roost.test')];
    const miaProfile = await mia.users.me.getProfile();
    const added = await max.users.me.subscriptions.add({
      subscriptions: JSON.stringify([{ name: 'rook watch' }]),
      principals: JSON.stringify([miaProfile.user_id, (await max.users.me.getProfile()).user_id]),
    });
    expect(added).toMatchObject({ result: 'success', subscribed: { [String(miaProfile.user_id)]: ['rook watch'] } });
    const queues = {
      max: await max.queues.register({ event_types: ['message'] }),
      mia: await mia.queues.register({ event_types: ['message'] }),
    };
    /** Reads events of a queue until a message with this text has come; what people said, in order. */
    const readUntil = async (client: ZulipClient, queue: Body, text: string): Promise<string[]> => {
      const said: string[] = [];
      while (said.at(-1) !== text) {
        const { events } = await client.events.retrieve({
          queue_id: queue.queue_id,
          last_event_id: queue.last_event_id,
        });
        queue.last_event_id = events.at(-1).id;
        // The notification bot has its say about the new channel, too.
        const people = events.filter((event: Body) => event.message?.sender_full_name !== 'Notification Bot');
        said.push(...people.map((event: Body) => event.message.content));
      }
      return said;
    };
    await max.messages.send({ type: 'stream', to: 'rook watch', topic: 'north tower', content: 'three nests' });
    expect(await readUntil(mia, queues.mia, 'three nests')).toEqual(['three nests']);

    await mia.messages.send({
      type: 'private',
      to: JSON.stringify(['member@roost.test']),
      content: 'before the restart',
    });
    await server.kill('SIGKILL');
    server = await startProcess(database, port);
    await mia.messages.send({ type: 'stream', to: 'rook watch', topic: 'north tower', content: 'after it' });
    expect(await readUntil(max, queues.max, 'after it')).toEqual(['three nests', 'before the restart', 'after it']);
  });

  it('in formulas, which the program draws in a thread of its own', async () => {
    const max = await login('member@roost.test');
    const { rendered } = await max.messages.render('$$E = mc^2$$');
    expect(rendered).toContain('<span class="katex">');
  });
});
