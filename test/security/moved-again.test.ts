import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#kernel/store';
import { copyMessage } from '../support/copies.ts';
import { databases } from '../support/databases.ts';
import { insertPeople } from '../support/people.ts';
import { least, longestTurnMs } from '../support/processor.ts';
import { openWorld, type World } from '../support/world.ts';

const [PEOPLE, MESSAGES] = [250, 1000];
/** Milliseconds of processor time; read at once, the rows take 350 on SQLite. */
const MAX_MS = 200;

/** Where releases until November 2026 moved messages, everybody who had them has a flag for each. */
describe.each(databases)('messages of many people that move again, on %s', (database) => {
  let world: World;
  let last: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max } = world;
    for (const name of ['here', 'there']) await max.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    const people = await insertPeople(world, PEOPLE);
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'here' }], principals: people });
    const { id } = await max.post('/messages', { type: 'channel', to: 'here', topic: 'long', content: 'x' });
    await copyMessage(world, id, MESSAGES - 1);
    last = id + MESSAGES - 1;
  }, 120_000);
  afterAll(() => world.close());

  /** Stores who received them as releases before decision 0051 did. */
  const asBefore = () =>
    world.server.context.store.of(world.realm.id).write(async ({ db }) => {
      await sql`insert into message_flag (realm_id, user_id, flag, message_id)
        select m.realm_id, u.id, 'delivered', m.id from message m join "user" u on u.realm_id = m.realm_id
        where m.topic = 'long' and u.email like 'p%@birds.test'`.execute(db);
      await sql`update message set delivery_id = null where topic = 'long'`.execute(db);
    });

  it('keep nobody waiting', { timeout: 120_000 }, async () => {
    const { max } = world;
    const move = async (to: string) => {
      const { stream_id } = await max.get('/get_stream_id', { stream: to });
      await max.patch(`/messages/${last}`, { stream_id, propagate_mode: 'change_all' });
    };
    await move('there');
    await asBefore();
    let round = 0;
    const cost = await least(MAX_MS, () => longestTurnMs(() => move(round++ % 2 === 0 ? 'here' : 'there')));
    expect(cost).toBeLessThan(MAX_MS);
  });
});
