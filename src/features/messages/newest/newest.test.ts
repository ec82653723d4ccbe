import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { expectSync } from '../../../../test/support/sync.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const fields = ['max_message_id', 'recent_private_conversations'];
const FETCHED = ['recent_private_conversations'];

describe.each(databases)('the newest messages of the state on %s', (database) => {
  let world: World;
  let fish: number;
  let nest: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, mona, gus } = world;
    const principals = [max.userId, mia.userId, mona.userId, gus.userId];
    for (const name of ['birds', 'fish'])
      await max.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
    const hidden = { invite_only: true, principals: [max.userId, mona.userId] };
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }], ...hidden });
    [fish, nest] = [await idOf('fish'), await idOf('nest')];
  });
  afterAll(() => world.close());

  const idOf = async (stream: string) => (await world.max.get('/get_stream_id', { stream }))['stream_id'] as number;
  const send = async (topic: string, to = 'birds') =>
    (await world.max.post('/messages', { type: 'channel', to, topic, content: 'hoo' }))['id'] as number;
  const write = async (who: Client, ...people: readonly Client[]) =>
    (await who.post('/messages', { type: 'direct', to: people.map((one) => one.userId), content: 'psst' }))[
      'id'
    ] as number;
  /** Expects the law of sync, where events determine all fields. */
  const expectAll = (act: () => Promise<unknown>) =>
    expectSync([world.mia, world.mona, world.gus], act, { fields, isWhole: true });
  /** Expects the law of sync for the fields that events determine. */
  const expectTold = (act: () => Promise<unknown>) => expectSync([world.mia, world.mona, world.gus], act, { fields });
  const state = async (who: Client) => (await who.register({ fetch_event_types: FETCHED })).state;

  it('follow what is written to channels, people and oneself (law of sync)', async () => {
    const { max, mia, mona, gus } = world;
    await expectAll(() => send('owl'));
    await expectAll(() => send('owl', 'nest'));
    await expectAll(() => write(max, mia));
    await expectAll(() => write(mia, max));
    await expectAll(() => write(mia, mia));
    await expectAll(() => write(mona, mia, gus));
    await expectAll(() => write(mia, gus, mona));
    await expectAll(() => write(max, mia));
    await expectAll(() => write(max, mona));
    expect((await state(mia))['recent_private_conversations']).toMatchObject([
      { user_ids: [max.userId] },
      { user_ids: [mona.userId, gus.userId] },
      { user_ids: [] },
    ]);
  });

  it('follow what a channel nobody is in gets, and what a bot or the server writes', async () => {
    const { max, mia } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'alone' }] });
    await max.delete('/users/me/subscriptions', { subscriptions: ['alone'] });
    await expectSync([max, mia], () => send('nobody hears', 'alone'), { fields, isWhole: true });
    await expectAll(() => max.patch(`/streams/${fish}`, { description: 'wet' }));
    await expectSync([mia, max], () => mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'pond' }] }), {
      fields,
    });
  });

  it('follow edits and moves', async () => {
    const { max } = world;
    const ids = [await send('auk'), await send('auk'), await send('auk')] as const;
    await expectAll(() => max.patch(`/messages/${ids[2]}`, { content: 'aha' }));
    await expectAll(() => max.patch(`/messages/${ids[1]}`, { topic: 'puffin' }));
    await expectAll(() => max.patch(`/messages/${ids[2]}`, { stream_id: fish }));
    const silent = { send_notification_to_new_thread: false };
    await expectTold(() => max.patch(`/messages/${ids[2]}`, { stream_id: nest, ...silent }));
    await expectTold(() => max.patch(`/messages/${ids[2]}`, { stream_id: fish, ...silent }));
  });

  it('follow deletions, but for what came before the newest', async () => {
    const { max, mia } = world;
    const ids = [await send('tit'), await write(max, mia), await write(max, mia), await send('tit')] as const;
    await expectAll(() => max.delete(`/messages/${ids[0]}`));
    await expectAll(() => max.delete(`/messages/${ids[1]}`));
    await expectTold(() => max.delete(`/messages/${ids[2]}`));
    await expectTold(() => max.delete(`/messages/${ids[3]}`));
    await expectTold(async () => {
      await max.delete(`/messages/${await send('tit')}`);
      await send('tit');
    });
  });

  it('follow leaving and joining channels, and becoming a guest', async () => {
    const { olive, max, mia, mona } = world;
    await send('the last', 'nest');
    const subscriptions = ['nest'];
    await expectTold(() => max.delete('/users/me/subscriptions', { subscriptions, principals: [mona.userId] }));
    const back = { subscriptions: [{ name: 'nest' }], principals: [mona.userId] };
    await expectTold(() => max.post('/users/me/subscriptions', back));
    await expectAll(() => mia.delete('/users/me/subscriptions', { subscriptions: ['fish'] }));
    await expectAll(() => mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'fish' }] }));
    await mia.delete('/users/me/subscriptions', { subscriptions: ['fish'] });
    for (const role of [600, 400]) await expectTold(() => olive.patch(`/users/${mia.userId}`, { role }));
    for (const is_private of [true, false]) await expectTold(() => max.patch(`/streams/${fish}`, { is_private }));
  });
});
