import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const ONLY = { event_types: ['message', 'update_message', 'delete_message', 'user_topic'] };

describe.each(databases)('notices of resolving on %s', (database) => {
  let world: World;
  let stream_id: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { adam, max, mia, mona, gus } = world;
    const principals = [adam, max, mia, mona, gus].map((who) => who.userId);
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }], principals });
    ({ stream_id } = await adam.get('/get_stream_id', { stream: 'birds' }));
  });
  afterAll(() => world.close());

  let topics = 0;
  const send = async (who: Client, topic: string) =>
    (await who.post('/messages', { type: 'channel', to: 'birds', topic, content: 'hoo' }))['id'] as number;
  const resolve = (who: Client, id: number, topic: string) =>
    who.patch(`/messages/${id}`, { topic: `✔ ${topic}`, propagate_mode: 'change_all' });
  /** The flags of the newest message in a topic, as the user fetches it. */
  const newestFlags = async (who: Client, topic: string): Promise<string[]> => {
    const narrow = [
      ['channel', 'birds'],
      ['topic', topic],
    ];
    return (await who.get('/messages', { anchor: 'newest', num_before: 1, narrow }))['messages'][0].flags;
  };

  it('are unread only for those who took part and follow the topic, as they chose (protocol/editing#checks)', async () => {
    const { adam, max, mia, mona, gus } = world;
    const topic = `topic ${++topics}`;
    const id = await send(adam, topic);
    await send(max, topic);
    await send(mia, topic);
    await mona.post(`/messages/${id}/reactions`, { emoji_name: 'owl' });
    await mia.post('/user_topics', { stream_id, topic, visibility_policy: 3 });
    await max.post('/user_topics', { stream_id, topic, visibility_policy: 0 });
    await mona.patch('/settings', { resolved_topic_notice_auto_read_policy: 'never' });
    await gus.patch('/settings', { resolved_topic_notice_auto_read_policy: 'never' });
    const queues = [await max.register(ONLY), await mia.register(ONLY)] as const;
    await resolve(adam, id, topic);
    const told = async (index: 0 | 1) =>
      (await queues[index].events()).find((event) => event['type'] === 'message')?.['flags'];
    expect(await told(0)).toEqual(['read']);
    expect(await told(1)).toEqual([]);
    // Gus took no part in the topic, so his setting has no effect.
    const expected = [
      [adam, ['read']],
      [max, ['read']],
      [mia, []],
      [mona, []],
      [gus, ['read']],
    ] as const;
    for (const [who, flags] of expected) expect(await newestFlags(who, `✔ ${topic}`)).toEqual(flags);
    await mia.patch('/settings', { resolved_topic_notice_auto_read_policy: 'always' });
    world.clock.advance(61_000);
    await adam.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' });
    expect(await newestFlags(mia, topic)).toEqual(['read']);
    expect(await newestFlags(mona, topic)).toEqual([]);
  });

  it('are in the language of the organization, and taken back whatever that is since', async () => {
    const { olive, adam } = world;
    const topic = `topic ${++topics}`;
    const [id, more] = [await send(adam, topic), await send(adam, topic)];
    const said = async (of: string) => {
      const narrow = [
        ['channel', 'birds'],
        ['topic', of],
      ];
      const { messages } = await adam.get('/messages', {
        anchor: 'newest',
        num_before: 9,
        narrow,
        apply_markdown: false,
      });
      return messages.map(({ content }: { content: string }) => content).filter((content: string) => content !== 'hoo');
    };
    const by = `@_**Adam Admin|${adam.userId}**`;
    await olive.patch('/realm', { default_language: 'de' });
    await resolve(adam, id, topic);
    expect(await said(`✔ ${topic}`)).toEqual([`${by} hat dieses Thema als erledigt markiert.`]);
    await olive.patch('/realm', { default_language: 'en' });
    await adam.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' });
    expect(await said(topic)).toEqual([]);
    await olive.patch('/realm', { default_language: 'de' });
    const move = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
    await adam.patch(`/messages/${more}`, { topic: `${topic}!`, propagate_mode: 'change_one', ...move });
    await olive.patch('/realm', { default_language: 'en' });
    expect(await said(topic)).toEqual([
      `Eine Nachricht wurde aus diesem Thema von ${by} nach #**birds>${topic}!** verschoben.`,
    ]);
    expect((await said(`${topic}!`))[0]).toMatch(
      /^\[Eine Nachricht\]\(http.*\) wurde von .* aus #\*\*birds>.*verschoben\.$/,
    );
  });

  it('come after the move they tell of, in one step with it', async () => {
    const { adam, max } = world;
    const topic = `topic ${++topics}`;
    const id = await send(adam, topic);
    await max.post('/user_topics', { stream_id, topic, visibility_policy: 3 });
    const queue = await max.register(ONLY);
    await resolve(adam, id, topic);
    expect((await queue.events()).map((event) => event['type'])).toEqual([
      'user_topic',
      'user_topic',
      'update_message',
      'message',
    ]);
  });

  it('count what was moved also when messages come in meanwhile', async () => {
    const { adam, max } = world;
    const topic = `topic ${++topics}`;
    const id = await send(adam, topic);
    await send(adam, topic);
    const queue = await max.register(ONLY);
    const sends = Array.from({ length: 5 }, () => send(max, topic));
    await Promise.all([
      ...sends,
      adam.patch(`/messages/${id}`, { topic: `${topic}!`, propagate_mode: 'change_later' }),
    ]);
    const events = await queue.events();
    const moved = events.find((event) => event['type'] === 'update_message')?.['message_ids'];
    const notice = events.find((event) => event['message']?.subject === `${topic}!`)?.['message'].content;
    expect(notice).toMatch(/^This topic was moved here from /);
    const { messages } = await max.get('/messages', {
      anchor: 'oldest',
      num_after: 100,
      narrow: [
        ['channel', 'birds'],
        ['topic', `${topic}!`],
      ],
    });
    expect(messages).toHaveLength(moved.length + 1);
  });
});
