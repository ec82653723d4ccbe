import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#kernel/store';
import { copyMessage } from '../support/copies.ts';
import { databases } from '../support/databases.ts';
import { insertPeople } from '../support/people.ts';
import { least, longestTurnMs } from '../support/processor.ts';
import { openWorld, type World } from '../support/world.ts';

const PEOPLE = 2000;
const MESSAGES = 400;
/** Milliseconds of processor time; the bar of 50 is for a machine of its own. */
const MAX_MS = 250;

/** Nobody keeps everybody waiting, however many people a request concerns. */
describe.each(databases)('requests that concern thousands of people, on %s', (database) => {
  let world: World;
  let people: readonly number[];
  const channels: number[] = [];
  beforeAll(async () => {
    world = await openWorld(database);
    const { adam } = world;
    people = [adam.userId, ...(await insertPeople(world, PEOPLE))];
    for (const name of ['left', 'right']) {
      await adam.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: people });
      channels.push((await adam.get('/get_stream_id', { stream: name }))['stream_id']);
    }
  }, 120_000);
  afterAll(() => world.close());

  /** Sends a message and puts as many copies of it into its topic; returns its ID. */
  const topic = async (name: string, count: number): Promise<number> => {
    const { id } = await world.adam.post('/messages', { type: 'channel', to: 'left', topic: name, content: 'heron' });
    await copyMessage(world, id, count);
    return id;
  };

  it('moving a topic that they have', async () => {
    const { adam } = world;
    const moved = await topic('moved', MESSAGES);
    const body = { stream_id: channels[1], propagate_mode: 'change_all' };
    const person = people.at(-1) ?? 0;
    expect(await longestTurnMs(() => adam.patch(`/messages/${moved}`, body))).toBeLessThan(MAX_MS);
    const { messages } = await adam.get('/messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 1000,
      narrow: [{ operator: 'channel', operand: channels[1] }],
    });
    expect(messages.filter(({ content }: { content: string }) => content.includes('heron'))).toHaveLength(MESSAGES + 1);
    const unread = await world.server.context.store.of(world.realm.id).query(({ db }) =>
      db
        .selectFrom('read_interval')
        .select('id')
        .where('user_id', '=', person as never)
        .execute(),
    );
    expect(unread).toEqual([]);
  });

  it('renaming a topic that they have', async () => {
    const id = await topic('resolved', 4 * MESSAGES);
    const rename = (to: string) => world.adam.patch(`/messages/${id}`, { topic: to, propagate_mode: 'change_all' });
    let round = 0;
    const cost = await least(MAX_MS, () => longestTurnMs(() => rename(round++ % 2 === 0 ? '✔ resolved' : 'resolved')));
    expect(cost).toBeLessThan(MAX_MS);
  });

  it('marking a long topic read, and renaming it', async () => {
    const { max } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'left' }] });
    let [first, round] = [0, 0];
    const cost = await least(MAX_MS, async () => {
      const topic_name = `unread ${round++}`;
      first = await topic(topic_name, 150_000);
      return longestTurnMs(() => max.post('/mark_topic_as_read', { stream_id: channels[0], topic_name }));
    });
    expect(cost).toBeLessThan(MAX_MS);
    // PostgreSQL does the work elsewhere, and would take many seconds.
    if (database === 'sqlite') {
      const rename = () =>
        world.adam.patch(`/messages/${first}`, { topic: `${round++}`, propagate_mode: 'change_all' });
      expect(await least(MAX_MS, () => longestTurnMs(rename))).toBeLessThan(MAX_MS);
    }
    const narrow = [
      { operator: 'is', operand: 'unread' },
      { operator: 'topic', operand: 'unread 0' },
    ];
    const asked = { narrow, anchor: 'newest', num_before: 10, num_after: 0 };
    expect((await max.get('/messages', asked))['messages']).toEqual([]);
  });

  it('more than can be moved for so many', async () => {
    const id = await topic('much', 2600);
    expect(
      await world.adam.refused('PATCH', `/messages/${id}`, { stream_id: channels[1], propagate_mode: 'change_all' }),
    ).toMatchObject({
      status: 400,
      msg: 'These are too many messages for so many people. Move them in parts, the newest first.',
    });
  });

  it('more that they have read, between others that they have not, than can be moved for so many', async () => {
    const { adam, realm, server } = world;
    const first = await topic('between', 219);
    const stream_id = channels[1];
    await server.context.store.of(realm.id).write(async ({ db }) => {
      await sql`insert into read_interval (realm_id, user_id, recipient_id, first_id, last_id)
        select m.realm_id, u.id, m.recipient_id, m.id, m.id + 219 from message m join "user" u on u.realm_id = m.realm_id
        where m.id = ${first} and u.email like 'person%'`.execute(db);
      await sql`update message set channel_id = ${stream_id},
        recipient_id = (select recipient_id from channel where id = ${stream_id})
        where id > ${first} and id <= ${first + 219} and id % 2 <> ${first % 2}`.execute(db);
    });
    const body = { stream_id, propagate_mode: 'change_all' };
    const refused = async () =>
      expect(await adam.refused('PATCH', `/messages/${first}`, body)).toMatchObject({
        status: 400,
        code: 'BAD_REQUEST',
      });
    // At once, they take seven times as long as in parts.
    expect(await longestTurnMs(refused)).toBeLessThan(MAX_MS / 3);
    // In parts they can.
    await adam.patch(`/messages/${first + 200}`, { stream_id, propagate_mode: 'change_later' });
  });
});
