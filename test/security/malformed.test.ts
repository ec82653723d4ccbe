import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#kernel/store';
import { Visitor } from '../support/browser-client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

describe.each(databases)('39: what is stored and cannot be read keeps nobody from the rest, on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database);
  });
  afterEach(() => world.close());

  it.each([
    ['no JSON', { kind: 'message', payload: '{' }],
    ['a message of another shape', { kind: 'message', payload: '{"message":7}' }],
    ['no audience', { kind: 'message', payload: '{}', details: 'null' }],
    ['a kind that is gone', { kind: 'gone/for/good', payload: '{}' }],
    ['a list', { kind: 'realm_user/update', payload: '[]' }],
    ['a text', { kind: 'stream/create', payload: '"x"' }],
    ['a person of another shape', { kind: 'realm_user/update', payload: '{"person":null}' }],
  ])('an event: %s', async (_what, row) => {
    const { max, mia, realm } = world;
    const queue = await mia.register({ event_types: ['message'] });
    const broken = await world.server.context.store.write(async (tx) => {
      const { head } = await tx.db
        .selectFrom('realm_log')
        .select('head')
        .where('realm_id', '=', realm.id)
        .executeTakeFirstOrThrow();
      const usual = { realm_id: realm.id, created_at: tx.now, details: '{"audience":{"everyone":true}}' };
      await tx.db
        .insertInto('event')
        .values({ ...usual, ...row, id: head + 1, last_id: head + 1 })
        .execute();
      await tx.db
        .updateTable('realm_log')
        .set({ head: head + 1 })
        .where('realm_id', '=', realm.id)
        .execute();
      return head + 1;
    });
    await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'after the storm' });
    expect(await queue.events()).toMatchObject([{ type: 'message', message: { content: 'after the storm' } }]);
    expect(
      await mia.request('GET', '/events', { queue_id: queue.id, last_event_id: -1, dont_block: true }),
    ).toBeTruthy();
    await mia.register();
    // When the world closes, the audience of every entry is looked at.
    await world.server.context.store.write((tx) => tx.db.deleteFrom('event').where('id', '=', broken).execute());
  });

  it.each(['{', '7', '{"a":1}', 'null', '["x"]'])('an invitation whose channels are %s', async (broken) => {
    const { olive, adam } = world;
    const good = (await olive.post('/invites/multiuse', { stream_ids: [] }))['invite_link'];
    const bad = (await olive.post('/invites/multiuse', { stream_ids: [] }))['invite_link'];
    await world.server.context.store.write((tx) =>
      sql`update invitation set channel_ids = ${broken} where id = (select max(id) from invitation)`.execute(tx.db),
    );
    const visitor = new Visitor(world.server);
    expect((await visitor.get(new URL(good).pathname)).status).toBe(200);
    expect((await visitor.get(new URL(bad).pathname)).status).toBeLessThan(500);
    for (const who of [olive, adam]) {
      const { invites } = await who.get('/invites');
      expect(invites.map((one: { link_url: string }) => one.link_url)).toContain(good);
    }
    await adam.register();
  });
});
