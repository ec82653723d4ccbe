import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeExport } from '#features/exports';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** A message whose earlier versions are a few times more than lists read after three edits. */
const LONG = 'word '.repeat(1900);

describe.each(databases)('earlier versions of messages, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }] });
  });
  afterAll(() => world.close());

  /** Sends a message and changes it three times; returns its ID. */
  async function changed(content: string): Promise<number> {
    const { id } = await world.max.post('/messages', { type: 'channel', to: 'nest', topic: 'eggs', content });
    for (const version of [1, 2, 3]) await world.max.patch(`/messages/${id}`, { content: `${content} ${version}` });
    return id;
  }
  const listed = async (id: number) =>
    (await world.max.get('/messages', { anchor: id, num_before: 0, num_after: 0 }))['messages'][0];

  it('are in lists only where they are short, and elsewhere always (protocol/messages#message-object)', async () => {
    const [long, short] = [await changed(LONG), await changed('short')];
    const { edit_history, last_edit_timestamp } = await listed(long);
    const entry = { user_id: null, timestamp: last_edit_timestamp, prev_content: '', prev_rendered_content: '' };
    expect(edit_history).toEqual([entry]);
    expect((await listed(short)).edit_history).toHaveLength(3);
    const { message } = await world.max.get(`/messages/${long}`);
    expect(message.edit_history).toHaveLength(3);
    expect(message.edit_history[2].prev_content).toBe(LONG.trim());
    expect((await world.max.get(`/messages/${long}/history`))['message_history']).toHaveLength(4);
  });

  it('are hidden from lists as the organization wants it, however long', async () => {
    const long = await changed(LONG);
    for (const policy of ['moves', 'none']) {
      await world.olive.patch('/realm', { message_edit_history_visibility_policy: policy });
      expect(await listed(long)).not.toHaveProperty('edit_history');
    }
    await world.olive.patch('/realm', { message_edit_history_visibility_policy: 'all' });
  });

  it('are exported in files of a few megabytes, and all of them', async () => {
    const { server, realm, max } = world;
    const texts = Array.from({ length: 20 }, (_none, number) => `long ${number}`);
    for (const content of texts)
      await max.post('/messages', { type: 'channel', to: 'nest', topic: 'many versions', content });
    const former = { user_id: max.userId, timestamp: 1, prev_content: 'x'.repeat(900_000), prev_rendered_content: '' };
    await server.context.store.in(realm).write((tx) =>
      tx.db
        .updateTable('message')
        .set({ edit_history: JSON.stringify([former]) })
        .where('realm_id', '=', realm.id)
        .where('topic', '=', 'many versions')
        .execute(),
    );
    const sizes: number[] = [];
    const exported: string[] = [];
    await writeExport(
      server.context,
      {
        write: async (path, source) => {
          const chunks: Uint8Array[] = [];
          for await (const chunk of source) chunks.push(chunk);
          if (!path.startsWith('messages-')) return;
          const bytes = Buffer.concat(chunks);
          sizes.push(bytes.length);
          for (const { content, edit_history } of JSON.parse(String(bytes))['zerver_message'])
            if (edit_history?.length > 900_000) exported.push(content);
        },
      },
      { realmId: realm.id, type: 'full' },
    );
    expect(exported.toSorted()).toEqual(texts.toSorted());
    expect(Math.max(...sizes)).toBeLessThan(10_000_000);
  });
});
