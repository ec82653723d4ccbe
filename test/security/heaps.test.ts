import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId, type MessageId, type UserId } from '#kernel/ids';
import { sql, type WriteTx } from '#kernel/store';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Whoever reads a message gets all of it. */
describe.each(databases)('what is added to one message has a bound, on %s', (database) => {
  let world: World;
  let poll: number;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'heap' }],
      principals: [world.mia.userId],
    });
    const message = { type: 'channel', to: 'heap', topic: 'heap', content: '/poll lunch?\nnow' };
    poll = (await world.max.post('/messages', message))['id'];
  });
  afterAll(() => world.close());

  const store = () => world.server.context.store.of(world.realm.id);
  const part = (data: unknown) => ({ message_id: poll, msg_type: 'widget', content: JSON.stringify(data) });
  const option = (length: number) => part({ type: 'new_option', option: 'x'.repeat(length), idx: 1 });
  const vote = () => part({ type: 'vote', key: 'canned,0', vote: 1 });
  const full = { status: 400, msg: 'Too much was added to this message.' };

  it('by one person, in characters and in number, and by all together', async () => {
    const { mia, max, adam } = world;
    for (let i = 0; i < 10; i++) await mia.post('/submessage', option(9900));
    expect(await mia.refused('POST', '/submessage', option(9900))).toMatchObject(full);
    await max.post('/submessage', vote());
    const row = {
      realm_id: world.realm.id,
      message_id: asId<MessageId>(poll),
      msg_type: 'widget',
      content: vote().content,
    };
    const add = (sender_id: number, count: number, more: object = {}) =>
      store().write(async (tx) => {
        const rows = Array.from({ length: count }, () => ({ ...row, ...more, sender_id: asId<UserId>(sender_id) }));
        await tx.db.insertInto('submessage').values(rows).execute();
      });
    await add(max.userId, 998);
    expect(await max.refused('POST', '/submessage', vote())).toMatchObject(full);
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'heap' }] });
    await adam.post('/submessage', vote());
    await add(world.olive.userId, 90, { content: 'x'.repeat(10_000) });
    expect(await adam.refused('POST', '/submessage', vote())).toMatchObject(full);
  });

  it('by reactions: others are joined all the same', async () => {
    const { max, mia } = world;
    const reaction = { realm_id: world.realm.id, message_id: asId<MessageId>(poll), user_id: asId<UserId>(mia.userId) };
    const rows = Array.from({ length: 199 }, (_, i) => ({
      ...reaction,
      emoji_name: `e${i}`,
      emoji_code: `${i}`,
      reaction_type: 'realm_emoji' as const,
    }));
    await store().write((tx) => tx.db.insertInto('reaction').values(rows).execute());
    const path = `/messages/${poll}/reactions`;
    await max.post(path, { emoji_name: 'owl' });
    expect(await max.refused('POST', path, { emoji_name: 'tada' })).toMatchObject({
      msg: 'A message can have at most 200 different reactions.',
    });
    await mia.post(path, { emoji_name: 'owl' });
  });
});

/** Stores 50,000 copies of a channel or group, all in use. */
async function copies(
  { db }: WriteTx,
  { table, id, used }: { readonly table: 'channel' | 'user_group'; readonly id: number; readonly used: string },
): Promise<void> {
  const row = await db
    .selectFrom(table)
    .selectAll()
    .where('id', '=', id as never)
    .executeTakeFirstOrThrow();
  const own = new Set(['id', 'name', 'name_key', used]);
  const names = Object.keys(row).filter((name) => !own.has(name));
  const columns = sql.join(names.map((name) => sql.ref(name)));
  await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 50000)
    insert into ${sql.table(table)} (name, name_key, ${sql.ref(used)}, ${columns})
    select 'copy ' || n, 'copy ' || n, ${false}, ${columns} from ${sql.table(table)}, numbers where id = ${id}`.execute(
    db,
  );
}

/** Everybody who registers gets all of it. */
describe.each(databases)('what people make for everybody has a bound, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const named = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}` }));

  it('channels of one person in a day, but for administrators', async () => {
    const { max, adam, clock } = world;
    const make = (count: number, prefix: string) => ({ subscriptions: named(count, prefix) });
    const msg = 'There can be at most 50000 channels, and people who are no administrators can create 2000 a day.';
    for (const prefix of ['a', 'b']) await max.post('/users/me/subscriptions', make(950, prefix));
    expect((await max.refused('POST', '/users/me/subscriptions', make(101, 'c'))).msg).toBe(msg);
    await max.post('/users/me/subscriptions', make(100, 'c'));
    await max.post('/users/me/subscriptions', make(100, 'c'));
    expect((await max.refused('POST', '/channels/create', { name: 'd', subscribers: [] })).msg).toBe(msg);
    await adam.post('/users/me/subscriptions', make(1, 'e'));
    clock.advance(86_400_000);
    await max.post('/channels/create', { name: 'd', subscribers: [] });
  });

  it('groups of one person in a day, but for administrators', async () => {
    const { max, adam, server, realm } = world;
    const make = (name: string) => ({ name, description: '', members: [] });
    const first = await max.post('/user_groups/create', make('first'));
    await server.context.store.of(realm.id).write(async (tx) => {
      const { id: _id, ...row } = await tx.db
        .selectFrom('user_group')
        .selectAll()
        .where('id', '=', first['group_id'])
        .executeTakeFirstOrThrow();
      const rows = named(1999, 'g').map(({ name }) => ({ ...row, name, name_key: name }));
      for (let at = 0; at < rows.length; at += 500)
        await tx.db
          .insertInto('user_group')
          .values(rows.slice(at, at + 500))
          .execute();
    });
    expect((await max.refused('POST', '/user_groups/create', make('more'))).msg).toBe(
      'There can be at most 50000 groups, and people who are no administrators can create 2000 a day.',
    );
    await adam.post('/user_groups/create', make('more'));
  });

  it('channels and groups that are brought back', async () => {
    const { adam, server, realm } = world;
    const { id } = await adam.post('/channels/create', { name: 'back', subscribers: [] });
    const { group_id } = await adam.post('/user_groups/create', { name: 'back', description: '', members: [] });
    await adam.delete(`/streams/${id}`);
    await adam.post(`/user_groups/${group_id}/deactivate`, {});
    const room = [
      ['channels', `/streams/${id}`, { is_archived: false }],
      ['groups', `/user_groups/${group_id}`, { deactivated: false }],
    ] as const;
    await server.context.store.of(realm.id).write(async (tx) => {
      await copies(tx, { table: 'channel', id, used: 'is_archived' });
      await copies(tx, { table: 'user_group', id: group_id, used: 'deactivated' });
    });
    for (const [things, path, change] of room)
      expect((await adam.refused('PATCH', path, change)).msg).toBe(
        `There can be at most 50000 ${things}, and people who are no administrators can create 2000 a day.`,
      );
    await server.context.store.of(realm.id).write(async (tx) => {
      await sql`delete from channel where name like 'copy 1%'`.execute(tx.db);
      await sql`delete from user_group where name like 'copy 1%'`.execute(tx.db);
    });
    for (const [, path, change] of room) await adam.patch(path, change);
  });

  it('descriptions, by what is made of them', async () => {
    const description = String.raw`$$\frac{a}{b}$$ `.repeat(60) + '<b>';
    const { id } = await world.olive.post('/channels/create', { name: 'formulas', description, subscribers: [] });
    const { stream } = await world.olive.get(`/streams/${id}`);
    expect(stream.rendered_description).toBe(`<p>${description.replace('<b>', '&lt;b&gt;')}</p>`);
    const few = { name: 'few', description: '$$a$$ **b**', subscribers: [] };
    const other = await world.olive.post('/channels/create', few);
    const shown = (await world.olive.get(`/streams/${other['id']}`))['stream'].rendered_description;
    expect(shown).toContain('katex');
  });
});
