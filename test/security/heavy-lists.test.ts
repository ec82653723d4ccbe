import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId, type MessageId } from '#kernel/ids';
import { sql } from '#kernel/store';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Messages of a page, and bytes of HTML of each: together more than one person may have waiting. */
const COUNT = 220;
const HTML = 250_000;

describe.each(databases)('a page of heavy messages, on %s', (database) => {
  let world: World;
  let ids: number[];
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, server, realm } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'heavy' }] });
    const { id } = await max.post('/messages', { type: 'channel', to: 'heavy', topic: 'all', content: 'word' });
    ids = await server.context.store.of(realm.id).write(async (tx) => {
      const row = await tx.db
        .selectFrom('message')
        .selectAll()
        .where('realm_id', '=', realm.id)
        .where('id', '=', asId<MessageId>(id))
        .executeTakeFirstOrThrow();
      const own = ['id', 'rendered_content'];
      const columns = sql.join(
        Object.keys(row)
          .filter((name) => !own.includes(name))
          .map((name) => sql.ref(name)),
      );
      const { rows } = await sql<{ id: number }>`with recursive numbers(n) as (
          select 1 union all select n + 1 from numbers where n < ${sql.lit(COUNT)})
        insert into message (rendered_content, ${columns}) select ${`<p>${'x'.repeat(HTML)}</p>`}, ${columns}
        from message, numbers where realm_id = ${realm.id} and id = ${id} returning id`.execute(tx.db);
      return rows.map((one) => one.id).toSorted((a, b) => a - b);
    });
  });
  afterAll(() => world.close());

  const page = (headers: Record<string, string>) =>
    world.server.listener.inject({
      method: 'GET',
      url: `/api/v1/messages?message_ids=${encodeURIComponent(JSON.stringify(ids))}`,
      headers: { authorization: world.max.authorization, ...headers },
    });

  it('is made in parts, and refused once there is no room for more of them', async () => {
    const { statusCode, body } = await page({});
    expect([statusCode, JSON.parse(body)]).toMatchObject([503, { code: 'SERVER_NOT_READY' }]);
    // Packed it is small, and what was taken for the refused answer has been given back.
    for (const _ of [1, 2]) {
      const { rawPayload } = await page({ 'accept-encoding': 'gzip' });
      const { messages } = JSON.parse(String(gunzipSync(rawPayload)));
      expect(messages.map((one: { id: number }) => one.id)).toEqual(ids);
      expect(messages.every((one: { content: string }) => one.content.length === HTML + 7)).toBe(true);
    }
    expect((await world.max.get('/messages', { message_ids: ids.slice(0, 150) }))['messages']).toHaveLength(150);
  });
});
