import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageId } from '#kernel/ids';
import { sql } from '#kernel/store';
import type { Body } from '../../../../../test/support/client.ts';
import { databases } from '../../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../../test/support/world.ts';
import { indexMessages } from '../../search/index.ts';

const MESSAGES = 12_000;
/** Words, each in one of this many messages: in all, in enough to look at more and more messages, and in few. */
const EVERY = { common: 1, often: 23, seldom: 701, once: MESSAGES };

const contentOf = (number: number) =>
  Object.entries(EVERY)
    .flatMap(([word, every]) => (number % every === every - 1 ? [word] : []))
    .join(' ');

describe.each(databases)('searches for common and rare words among many messages on %s', (database) => {
  let world: World;
  let first: number;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }] });
    ({ id: first } = await world.max.post('/messages', {
      type: 'channel',
      to: 'birds',
      topic: 'walk',
      content: 'one',
    }));
    await world.server.context.store.in(world.realm).write(async (tx) => {
      await sql`with recursive n (id) as (select cast(${first + 1} as bigint) union all select id + 1 from n where id < ${first + MESSAGES})
        insert into message (id, realm_id, sender_id, recipient_id, channel_id, topic, topic_key, content, rendered_content, sent_at, client,
          is_me_message, has_attachment, has_image, has_link, mentions_channel, mentions_groups, topic_links)
        select n.id, realm_id, sender_id, recipient_id, channel_id, topic, topic_key, content, rendered_content, sent_at, client,
          is_me_message, has_attachment, has_image, has_link, mentions_channel, mentions_groups, topic_links
        from n join message m on m.id = ${first}`.execute(tx.db);
      const all = Array.from({ length: MESSAGES }, (_none, number) => ({
        id: (first + 1 + number) as MessageId,
        content: contentOf(number),
        topic: 'walk',
      }));
      indexMessages(tx, all);
    });
  });
  afterAll(() => world.close());

  const fetch = (words: string, parameters: object): Promise<Body> =>
    world.max.get('/messages', {
      narrow: [{ operator: 'search', operand: words }],
      num_before: 0,
      num_after: 0,
      ...parameters,
    });
  const idsOf = ({ messages }: Body) => messages.map((message: { id: number }) => message.id);
  const having = (every: number) =>
    Array.from({ length: MESSAGES }, (_none, number) => number)
      .filter((number) => number % every === every - 1)
      .map((number) => first + 1 + number);

  it.each(Object.entries(EVERY))('find %s, which every %i. message has, from either end', async (word, every) => {
    const all = having(every);
    for (const count of [1, 40, 600]) {
      const newest = await fetch(word, { anchor: 'newest', num_before: count });
      expect(idsOf(newest)).toEqual(all.slice(-count));
      expect(newest['found_oldest']).toBe(all.length < count);
      expect(idsOf(await fetch(word, { anchor: 'oldest', num_after: count }))).toEqual(all.slice(0, count));
    }
  });

  it.each(Object.entries(EVERY))('find %s around a message', async (word, every) => {
    const all = having(every);
    const anchor = first + MESSAGES / 2;
    const beside = (counts: object) => fetch(word, { anchor, include_anchor: false, ...counts });
    expect(idsOf(await beside({ num_before: 30 }))).toEqual(all.filter((id) => id < anchor).slice(-30));
    expect(idsOf(await beside({ num_after: 30 }))).toEqual(all.filter((id) => id > anchor).slice(0, 30));
  });

  it('find those with all of several words', async () => {
    const both = having(EVERY.often).filter((id) => having(EVERY.seldom).includes(id));
    expect(idsOf(await fetch('common often seldom', { anchor: 'newest', num_before: 100 }))).toEqual(both);
  });

  it('let other terms choose among them', async () => {
    const narrow = [
      { operator: 'search', operand: 'common' },
      { operator: 'sender', operand: world.mia.userId },
    ];
    expect(idsOf(await fetch('', { narrow, anchor: 'newest', num_before: 10 }))).toEqual([]);
  });
});
