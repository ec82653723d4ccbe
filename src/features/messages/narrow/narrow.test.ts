import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#kernel/store';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

type Narrow = readonly (object | readonly string[])[];

describe.each(databases)('narrows on %s', (database) => {
  let world: World;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, mona } = world;
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'birds' }],
      principals: [max.userId, mia.userId],
    });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'hidden' }], invite_only: true });
    const channel = async (name: string, content: string, topic: string, who = max) => {
      ids[name] = (await who.post('/messages', { type: 'channel', to: 'birds', topic, content }))['id'];
    };
    const direct = async (name: string, content: string, ...to: Client[]) => {
      const people = to.map((one) => one.userId);
      ids[name] = (await max.post('/messages', { type: 'direct', to: people, content }))['id'];
    };
    await channel('jumping', 'The wrens are jumping & "singing loudly"', 'Nests');
    await channel('link', 'see https://example.com/wren', 'nests', mia);
    await channel('resolved', 'done', '✔ hatching');
    await channel('unnamed', 'no topic at all', '');
    await direct('pair', 'to Mia', mia);
    await direct('group', 'to both', mia, mona);
    await direct('self', 'note', max);
    ids['secret'] = (
      await max.post('/messages', { type: 'channel', to: 'hidden', topic: 'x', content: 'secret wren' })
    )['id'];
  });
  afterAll(() => world.close());

  const namesOf = (messages: { id: number }[]) =>
    messages.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0]);
  const found = async (who: Client, narrow: Narrow, more: object = {}) => {
    const { messages } = await who.get('/messages', { anchor: 'newest', num_before: 100, narrow, ...more });
    return namesOf(messages);
  };
  const all = ['jumping', 'link', 'resolved', 'unnamed', 'pair', 'group', 'self', 'secret'];

  it('takes every operator, its older names and negation (protocol/narrows#operators)', async () => {
    const { max, mia, mona } = world;
    const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated });
    const cases: [Narrow, string[]][] = [
      [[], all],
      [[term('channel', 'BIRDS')], ['jumping', 'link', 'resolved', 'unnamed']],
      [[['stream', 'birds']], ['jumping', 'link', 'resolved', 'unnamed']],
      [[term('channel', 'birds', true)], ['pair', 'group', 'self', 'secret']],
      [[term('topic', 'NESTS')], ['jumping', 'link']],
      [[term('topic', 'general chat')], ['unnamed']],
      [[term('topic', 'all', true)], all],
      [[term('in', 'all', true)], all],
      [[term('near', '1', true)], all],
      [[term('channels', 'public')], ['jumping', 'link', 'resolved', 'unnamed']],
      [[term('streams', 'public', true)], ['pair', 'group', 'self', 'secret']],
      [[term('channels', 'web-public')], []],
      [[term('channels', 'archived', true)], all],
      [[term('dm', [mia.userId])], ['pair']],
      [[term('pm-with', mia.email)], ['pair']],
      [[term('pm_with', `${max.email}, ${mia.email}`)], ['pair']],
      [[term('dm', [max.userId])], ['self']],
      [[term('dm', [])], []],
      [[term('dm', [mona.userId])], []],
      [[term('dm-including', mia.userId)], ['pair', 'group']],
      [[term('dm-including', max.email)], ['pair', 'group', 'self']],
      [[term('group-pm-with', mia.userId)], ['group']],
      [[term('sender', mia.email)], ['link']],
      [[term('sender', max.userId, true)], ['link']],
      [[['is', 'private']], ['pair', 'group', 'self']],
      [[term('is', 'dm', true)], ['jumping', 'link', 'resolved', 'unnamed', 'secret']],
      [[term('is', 'resolved')], ['resolved']],
      [[term('has', 'link')], ['link']],
      [
        [term('has', 'link', true), term('channel', 'birds')],
        ['jumping', 'resolved', 'unnamed'],
      ],
      [[term('in', 'all', true)], all],
      [[term('near', '7')], all],
      [[term('id', ids['pair'])], ['pair']],
      [[term('id', String(ids['pair']))], ['pair']],
      [[term('search', 'wren')], ['jumping', 'link', 'secret']],
      [[term('search', 'jumped'), term('search', 'wren')], ['jumping']],
      [[term('search', '"are jumping"')], ['jumping']],
      [[term('search', '"jumping are"')], []],
      [
        [term('search', 'wren', true), term('channel', 'birds')],
        ['resolved', 'unnamed'],
      ],
      [
        [term('search', 'wren see', true), term('search', 'note', true), term('search', 'see note', true)],
        ['jumping', 'resolved', 'unnamed', 'pair', 'group', 'secret'],
      ],
      [
        [term('search', 'wren', true), term('search', '"to Mia"', true), term('search', 'note', true)],
        ['resolved', 'unnamed', 'group'],
      ],
      [[term('search', 'wren'), term('search', 'see', true), term('search', 'secret', true)], ['jumping']],
      [
        [term('with', ids['link']), term('topic', 'elsewhere')],
        ['jumping', 'link'],
      ],
      [[term('with', ids['pair'])], ['pair']],
    ];
    for (const [narrow, expected] of cases) expect(await found(max, narrow), JSON.stringify(narrow)).toEqual(expected);
  });

  it('shows shared history only where the narrow names it, and nothing to guests (protocol/fetching#visibility)', async () => {
    const { mona, gus } = world;
    const birds = { operator: 'channel', operand: 'birds' };
    expect(await found(mona, [])).toEqual(['group']);
    expect(await found(mona, [birds])).toEqual(['jumping', 'link', 'resolved', 'unnamed']);
    expect(await found(mona, [birds, { operator: 'is', operand: 'unread' }])).toEqual([]);
    expect(await found(mona, [{ operator: 'channels', operand: 'public' }])).toHaveLength(4);
    for (const operand of ['birds', 'hidden', 'no such'])
      expect(
        await gus.refused('GET', '/messages', { anchor: 'newest', narrow: [{ operator: 'channel', operand }] }),
      ).toMatchObject({ code: 'BAD_NARROW', desc: `unknown channel ${operand}` });
  });

  it('knows what is muted and followed (protocol/narrows#operators)', async () => {
    const { mia, server } = world;
    const set = (topic_key: string, policy: number) =>
      server.context.store.write((tx) =>
        sql`insert into user_topic (realm_id, user_id, channel_id, topic, topic_key, visibility_policy, last_updated)
          select realm_id, ${mia.userId}, id, ${topic_key}, ${topic_key}, ${policy}, 0 from channel
          where name = 'birds'`.execute(tx.db),
      );
    await set('nests', 1);
    await set('✔ hatching', 3);
    const birds = ['channel', 'birds'];
    expect(await found(mia, [birds, ['is', 'muted']])).toEqual(['jumping', 'link']);
    expect(await found(mia, [birds, ['in', 'home']])).toEqual(['resolved', 'unnamed']);
    expect(await found(mia, [['is', 'followed']])).toEqual(['resolved']);
    const { unread_msgs } = (await mia.register()).state;
    expect(unread_msgs.count).toBe(4);
    expect(unread_msgs.streams).toHaveLength(3);
    expect(await mia.get('/messages', { anchor: 'first_unread' })).toMatchObject({ anchor: ids['resolved'] });
  });

  it('begins behind muted topics, and asks for the mute of a channel only where another names it (protocol/fetching#anchors)', async () => {
    const { mia } = world;
    const first = async (...narrow: string[][]) =>
      (await mia.get('/messages', { anchor: 'first_unread', narrow }))['anchor'];
    const birds = ['channel', 'birds'];
    expect(await first(birds)).toBe(ids['resolved']);
    const { subscriptions } = await mia.get('/users/me/subscriptions');
    const channel = subscriptions.find((one: { name: string }) => one.name === 'birds');
    const mute = (value: boolean) =>
      mia.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channel.stream_id, property: 'is_muted', value }],
      });
    await mute(true);
    expect(await first(birds)).toBe(ids['resolved']);
    expect(await first(birds, ['topic', 'nests'])).toBe(10_000_000_000_000_000);
    await mute(false);
  });

  it('wraps what was searched for, outside of tags (protocol/fetching#search)', async () => {
    const narrow = [{ operator: 'search', operand: 'jump "singing loudly" nest' }];
    const { messages } = await world.mia.get('/messages', { anchor: 'newest', num_before: 5, narrow });
    const mark = (text: string) => `<span class="highlight">${text}</span>`;
    expect(messages[0]).toMatchObject({
      match_subject: mark('Nests'),
      match_content: expect.stringContaining(`wrens are ${mark('jumping')} &amp; `),
    });
    const { messages: matched } = await world.mia.get('/messages/matches_narrow', {
      msg_ids: [ids['jumping'], ids['link'], ids['secret']],
      narrow: [{ operator: 'search', operand: 'WRENS' }],
    });
    expect(Object.keys(matched).map(Number)).toEqual([ids['jumping'], ids['link']]);
    expect(matched[String(ids['jumping'])].match_content).toContain(mark('wrens'));
  });

  it('refuses what is malformed or means nothing, with the exact words (protocol/narrows#syntax and protocol/narrows#faults)', async () => {
    const cases: [unknown, string][] = [
      [[3], 'Invalid narrow[0]: Value error, dict or list required'],
      [[['a', 'b', 'c']], 'Invalid narrow[0]: Value error, element is not a string pair'],
      [[['is', 'dm'], { operator: 'is' }], 'Invalid narrow[1]: Value error, operand is missing'],
      [[{ operand: 'dm' }], 'Invalid narrow[0]: Value error, operator is missing'],
      [[{ operator: 'channel', operand: [1] }], 'operand is not a string or integer'],
      [[{ operator: 'dm', operand: 1 }], 'operand is not a string or an integer list'],
      [[{ operator: 'dm', operand: ['x'] }], 'operand[0] is not an integer'],
      [[{ operator: 'is', operand: 1 }], 'operand is not a string'],
      [[{ operator: 'search', operand: ' ' }], 'operand cannot be blank.'],
      [[['flies', 'x']], 'Invalid narrow operator: unknown operator flies'],
      [[['has', 'wings']], "Invalid narrow operator: unknown 'has' operand wings"],
      [[['in', 'x']], "Invalid narrow operator: unknown 'in' operand x"],
      [[['is', 'x']], "Invalid narrow operator: unknown 'is' operand x"],
      [[['channels', 'x']], 'Invalid narrow operator: unknown channels operand x'],
      [[['sender', 'x@y']], 'Invalid narrow operator: unknown user x@y'],
      [[{ operator: 'dm', operand: [1, 9999] }], 'Invalid narrow operator: unknown user in [1, 9999]'],
      [[['id', 'x']], 'Invalid narrow operator: Invalid message ID'],
      [[['with', 'x']], "Invalid narrow operator: Invalid 'with' operator"],
      [[['with', '99999']], "Invalid narrow operator: Invalid 'with' operator"],
      [
        [
          ['with', '1'],
          ['with', '2'],
        ],
        "Invalid narrow operator combination: Duplicate 'with' operators.",
      ],
      [
        [
          ['channel', 'birds'],
          ['is', 'dm'],
        ],
        'Invalid narrow operator: No message can be both a channel message and direct message',
      ],
    ];
    for (const [narrow, msg] of cases) {
      const { msg: told } = await world.max.refused('GET', '/messages', { anchor: 'newest', narrow: narrow as object });
      expect(told, JSON.stringify(narrow)).toBe(msg);
    }
  });

  it('answers two channels, and every kind of anchor, as documented (protocol/fetching#anchors)', async () => {
    const { max } = world;
    const get = (parameters: object) => max.get('/messages', { ...parameters });
    const two = [
      ['channel', 'birds'],
      ['channel', 'hidden'],
    ];
    expect(await get({ anchor: 'oldest', num_after: 5, narrow: two })).toMatchObject({
      messages: [],
      found_oldest: true,
      found_newest: true,
      found_anchor: false,
    });
    const id = ids['resolved'] ?? 0;
    const around = await get({ anchor: String(id), num_before: 1, num_after: 1 });
    expect(namesOf(around['messages'])).toEqual(['link', 'resolved', 'unnamed']);
    expect(around).toMatchObject({ anchor: id, found_anchor: true, found_oldest: false, found_newest: false });
    const after = await get({ anchor: String(id), num_after: 2, include_anchor: false });
    expect(namesOf(after['messages'])).toEqual(['unnamed', 'pair']);
    const oldest = await get({ anchor: 'oldest', num_after: 100 });
    expect(oldest).toMatchObject({ anchor: 0, found_oldest: true, found_newest: true });
    const unread = await get({ anchor: 'first_unread', num_before: 0, num_after: 1 });
    expect(unread['anchor']).toBe(ids['jumping']);
    const date = await get({ anchor: 'date', anchor_date: '1999-01-01', num_after: 1, num_before: 1 });
    expect(date['anchor']).toBe(ids['jumping']);
    const late = await get({ anchor: 'date', anchor_date: '2199-01-01T10:00:00', num_before: 1 });
    expect(late).toMatchObject({ anchor: ids['secret'], found_anchor: true });
    const named = await get({ message_ids: [ids['pair'], 99_999, ids['link']] });
    expect(namesOf(named['messages'])).toEqual(['link', 'pair']);
    expect(named).not.toHaveProperty('anchor');
    expect(named).toMatchObject({ found_anchor: false, found_oldest: false, found_newest: false });
  });

  it('takes an anchor as plain text or as a JSON string, also where flags change', async () => {
    const get = (parameters: object) => world.max.get('/messages', { ...parameters });
    for (const word of ['newest', 'oldest', 'first_unread', String(ids['link'])]) {
      const quoted = JSON.stringify(word);
      expect(await get({ anchor: quoted, num_before: 1, num_after: 1 })).toEqual(
        await get({ anchor: word, num_before: 1, num_after: 1 }),
      );
      const range = { num_before: 0, num_after: 0, narrow: [], op: 'remove', flag: 'collapsed' };
      expect(await world.max.post('/messages/flags/narrow', { ...range, anchor: quoted })).toEqual(
        await world.max.post('/messages/flags/narrow', { ...range, anchor: word }),
      );
    }
    const date = { anchor: '"date"', anchor_date: '1999-01-01', num_after: 1 };
    expect((await get(date))['anchor']).toBe(ids['jumping']);
    const { msg } = await world.max.refused('GET', '/messages', { anchor: '"x"' });
    expect(msg).toBe('Invalid anchor');
  });

  it('refuses anchors and amounts that are none, and two ways to name messages at once', async () => {
    const refused = async (parameters: object) => (await world.max.refused('GET', '/messages', { ...parameters })).msg;
    expect(await refused({})).toBe("Missing 'anchor' argument.");
    expect(await refused({ anchor: 'x' })).toBe('Invalid anchor');
    expect(await refused({ anchor: 'date' })).toBe("Missing 'anchor_date' argument.");
    expect(await refused({ anchor: '1', num_before: 2500, num_after: 2501 })).toBe(
      'Too many messages requested (maximum 5000).',
    );
    expect(await refused({ anchor: '1', num_before: 1, num_after: 1, include_anchor: false })).toBe(
      'The anchor can only be excluded at an end of the range',
    );
    expect(await refused({ message_ids: [1], anchor: 'newest' })).toBe(
      'Unsupported parameter combination: num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor',
    );
  });

  it('shows one message to those who may read it, and hides the rest alike (protocol/fetching#search)', async () => {
    const { max, mona, spectator } = world;
    expect(await max.get(`/messages/${ids['pair']}`)).toMatchObject({
      raw_content: 'to Mia',
      message: { content: '<p>to Mia</p>', flags: [] },
    });
    for (const id of [ids['pair'], ids['secret'], 99_999])
      expect(await mona.refused('GET', `/messages/${id}`)).toMatchObject({ msg: 'Invalid message(s)' });
    expect(await spectator.refused('GET', `/messages/${ids['jumping']}`)).toMatchObject({ status: 401 });
    expect(
      await spectator.refused('GET', '/messages', { anchor: 'newest', narrow: [['channels', 'web-public']] }),
    ).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });
});
