import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChannelsByName } from '#features/channels';
import { setRealmGroups } from '#features/realms';
import { insertUser } from '#features/users';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

describe.each(databases)('sending on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'birds' }],
      principals: [max.userId, mia.userId],
    });
  });
  afterAll(() => world.close());

  const send = (who: Client, content: string, more: object = {}) =>
    who.post('/messages', { type: 'channel', to: 'birds', topic: 'nests', content, ...more });

  it('flags people mentioned by name, and only receivers (protocol/messages#effects)', async () => {
    const { max, mia, mona } = world;
    const queues = [
      await mia.register({ event_types: ['message'] }),
      await mona.register({ event_types: ['message'], all_public_streams: true }),
    ] as const;
    const { id } = await send(max, '@**Mia Member** and @**Mona Moderator** and @_**Max Member**');
    expect(await queues[0].events()).toMatchObject([{ type: 'message', flags: ['mentioned'] }]);
    expect(await queues[1].events()).toMatchObject([{ type: 'message', flags: [] }]);
    const flags = async (who: Client) => (await who.get('/messages', { message_ids: [id] }))['messages'][0].flags;
    expect(await flags(mia)).toEqual(['mentioned']);
    expect(await flags(mona)).toEqual(['read', 'historical']);
    expect(await flags(max)).toEqual([]);
    const { unread_msgs } = (await mia.register()).state;
    expect(unread_msgs.mentions).toEqual([id]);
  });

  it('takes more people than an index of PostgreSQL has room for (protocol/messages#addresses)', async () => {
    const { max, server, realm } = world;
    const to = await server.context.store.in(realm).write(async (tx) => {
      const ids: number[] = [];
      for (let n = 0; n < 1200; n++) {
        const own = { email: `flock${n}@birds.test`, full_name: `Bird ${n}`, role: 400, avatar_source: 'J' } as const;
        ids.push((await insertUser(tx, { realm_id: tx.realmId, ...own })).id);
      }
      return ids;
    });
    const said = async () => (await max.post('/messages', { type: 'direct', to, content: 'Off we go.' })).id;
    const ids = [await said(), await said()];
    const narrow = [{ operator: 'dm', operand: to }];
    const { messages } = await max.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow });
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(messages[0].display_recipient).toHaveLength(to.length + 1);
  });

  it('takes 5.0 for no integer, in parameters, in lists, and among recipients (protocol/wire#json-values)', async () => {
    const { max, mia } = world;
    const to = { type: 'direct', content: 'hm' };
    const asFraction = `${mia.userId}.0`;
    for (const [method, path, parameters, msg] of [
      ['GET', '/messages', { anchor: 'newest', num_before: '5.0', num_after: 0 }, 'num_before is not an integer'],
      ['GET', '/messages', { anchor: 'newest', num_before: '1e1', num_after: 0 }, 'num_before is not an integer'],
      ['GET', '/messages', { message_ids: '[1,2.0]' }, 'message_ids[1] is not an integer'],
      [
        'POST',
        '/messages',
        { ...to, to: `[${asFraction}]` },
        'Recipient lists may contain emails or user IDs, but not both.',
      ],
      ['GET', '/events', { queue_id: 'x', last_event_id: '-1.0' }, 'last_event_id is not an integer'],
    ] as const)
      expect(await max.refused(method, path, parameters)).toMatchObject({ code: 'BAD_REQUEST', msg });
    // A number that may have a fraction may also be whole.
    const draft = `[{"type":"","to":[],"topic":"","content":"5.0","timestamp":1700000000.0}]`;
    await max.post('/drafts', { drafts: draft });
    expect((await max.get('/drafts'))['drafts']).toMatchObject([{ content: '5.0', timestamp: 1_700_000_000 }]);
  });

  it('lets nobody speak for somebody else (protocol/messages#parameters, security#holes, row 8)', async () => {
    const { max, mia, olive } = world;
    const { user_id } = await max.post('/bots', { full_name: 'Mirror', short_name: 'mirror' });
    const bot = world.clientOf({ id: user_id, email: 'mirror-bot@localhost', api_key_version: 1 });
    const queue = await mia.register({ event_types: ['message'] });
    const message = { type: 'channel', to: 'birds', topic: 'nests', content: 'x', sender: 'owner@roost.test' };
    for (const who of [max, bot, olive]) {
      for (const forged of ['yes', 'true'])
        expect((await who.refused('POST', '/messages', { ...message, forged })).msg).toBe(
          'User not authorized for this query',
        );
      expect((await who.refused('POST', '/messages', message)).msg).toBe('Invalid mirrored message');
    }
    await send(bot, 'own voice', { forged: 'no' });
    expect(await queue.events()).toMatchObject([{ message: { sender_id: user_id, content: 'own voice' } }]);
  });

  it('flags everybody for a wildcard, and the participants for a topic', async () => {
    const { max, mia } = world;
    const queue = await mia.register({ event_types: ['message'] });
    await send(max, '@**all** come', { topic: 'new one' });
    await send(max, '@**topic** only I', { topic: 'new one' });
    await send(mia, 'here', { topic: 'new one' });
    await send(max, '@**topic** now both', { topic: 'new one' });
    const flags = (await queue.events()).map((event) => event['flags']);
    const topic = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
    expect(flags).toEqual([['stream_wildcard_mentioned', 'wildcard_mentioned'], [], [], topic]);
    const narrow = [{ operator: 'is', operand: 'mentioned' }];
    const { messages } = await mia.get('/messages', { anchor: 'newest', num_before: 2, narrow });
    expect(messages.map((message: { content: string }) => message.content).length).toBe(2);
    expect(messages[1].flags).toEqual(topic);
  });

  it('limits wildcards where many are subscribed', async () => {
    const { max, adam } = world;
    const many: Client[] = [];
    for (let n = 0; n < 16; n++) many.push(await world.user());
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'crowd' }],
      principals: [max.userId, adam.userId, ...many.map((one) => one.userId)],
    });
    const message = { type: 'channel', to: 'crowd', topic: 'x', content: '@**everyone** hi' };
    expect(await max.refused('POST', '/messages', message)).toMatchObject({
      code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      msg: 'You do not have permission to use channel wildcard mentions in this channel.',
    });
    await max.post('/messages', { ...message, content: '@_**everyone** hi' });
    await adam.post('/messages', message);
  });

  it('makes a poll of /poll, and refuses widgets that are none (protocol/messages#checks, step 5)', async () => {
    const { max, mia } = world;
    const queue = await mia.register({ event_types: ['message'] });
    const { id } = await send(max, '/poll Which bird?\n- hoopoe\n* wren');
    const content = JSON.stringify({
      widget_type: 'poll',
      extra_data: { question: 'Which bird?', options: ['hoopoe', 'wren'] },
    });
    expect(await queue.events()).toMatchObject([
      { message: { submessages: [{ message_id: id, sender_id: max.userId, msg_type: 'widget', content }] } },
    ]);
    const refused = async (widget_content: string) =>
      (
        await max.refused('POST', '/messages', {
          type: 'channel',
          to: 'birds',
          topic: 't',
          content: 'x',
          widget_content,
        })
      ).msg;
    expect(await refused('{')).toBe('Widgets: API programmer sent invalid JSON content');
    expect(await refused('3')).toBe('Widgets: widget_content is not a dict');
    expect(await refused('{}')).toBe('Widgets: widget_type is not in widget_content');
    expect(await refused('{"widget_type":"x"}')).toBe('Widgets: extra_data is not in widget_content');
    expect(await refused('{"widget_type":"x","extra_data":1}')).toBe('Widgets: extra_data is not a dict');
    expect(await refused('{"widget_type":"x","extra_data":{}}')).toBe('Widgets: unknown widget type: x');
    expect(await refused('{"widget_type":"zform","extra_data":{}}')).toBe('Widgets: zform is missing type field');
    expect(await refused('{"widget_type":"zform","extra_data":{"type":"y"}}')).toBe('Widgets: unknown zform type: y');
    expect(await refused('{"widget_type":["x"],"extra_data":{}}')).toBe('Widgets: unknown widget type: ["x"]');
    for (const widget_type of ['poll', 'todo'])
      expect(await refused(JSON.stringify({ widget_type, extra_data: {} }))).toBe(
        `Widgets: unknown widget type: ${widget_type}`,
      );
    const choice = { short_name: 'A', long_name: 'Anhinga', reply: 'answer A' };
    const form = (data: object) =>
      refused(JSON.stringify({ widget_type: 'zform', extra_data: { type: 'choices', ...data } }));
    expect(await form({ choices: [] })).toBe('Widgets: extra_data["heading"] field is missing: Field required');
    expect(await form({ heading: 1, choices: [] })).toBe('Widgets: extra_data["heading"] is not a string');
    expect(await form({ heading: 'x', choices: 1 })).toBe('Widgets: extra_data["choices"] is not a list');
    expect(await form({ heading: 'x', choices: [choice, 3] })).toBe('Widgets: extra_data["choices"][1] is not a dict');
    expect(await form({ heading: 'x', choices: [{ ...choice, reply: { a: 1 } }] })).toBe(
      'Widgets: extra_data["choices"][0]["reply"] is not a string',
    );
  });

  it('asks who may have direct messages, and who may begin them (protocol/messages#checks, step 4)', async () => {
    const { max, mia, adam, realm, server } = world;
    const set = (groups: object) => server.context.store.in(realm).write((tx) => setRealmGroups(tx, groups));
    const direct = (to: Client) => ({ type: 'direct', to: [to.userId], content: 'hello' });
    await max.post('/messages', direct(mia));
    await set({ direct_message_permission_group: realm.groups['role:nobody'] });
    expect((await max.refused('POST', '/messages', direct(mia))).msg).toBe(
      'Direct messages are disabled in this organization.',
    );
    await max.post('/messages', direct(max));
    await set({ direct_message_permission_group: realm.groups['role:administrators'] });
    expect((await max.refused('POST', '/messages', direct(mia))).msg).toBe(
      'This conversation does not include any users who can authorize it.',
    );
    await set({ direct_message_initiator_group: realm.groups['role:administrators'] });
    expect((await max.refused('POST', '/messages', direct(adam))).msg).toBe(
      'You do not have permission to initiate direct message conversations.',
    );
    await adam.post('/messages', direct(max));
    await max.post('/messages', direct(adam));
    const everyone = realm.groups['role:everyone'];
    await set({ direct_message_permission_group: everyone, direct_message_initiator_group: everyone });
  });

  it('keeps a private channel and its absence alike, and others to those who may post', async () => {
    const { max, mona, server, realm } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], invite_only: true });
    const to = (name: string) => ({ type: 'channel', to: name, topic: 'x', content: 'x' });
    const hidden = await mona.refused('POST', '/messages', to('secret'));
    expect(hidden).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', msg: "Channel 'secret' does not exist" });
    expect(await mona.refused('POST', '/messages', to('nowhere'))).toMatchObject({ code: hidden.code });
    const id = (await server.context.store.in(realm).query((tx) => findChannelsByName(tx, ['secret']))).get(
      'secret',
    )?.id;
    expect(await mona.refused('POST', '/messages', { ...to('x'), to: id })).toMatchObject({
      msg: `Channel with ID '${id}' does not exist`,
    });
  });

  it('returns the client its own name of the message, to the one queue (protocol/messages#local-ids)', async () => {
    const { max } = world;
    const [own, other] = [await max.register(), await max.register()];
    await send(max, 'echo', { queue_id: own.id, local_id: '17.1', read_by_sender: true });
    expect(await own.events()).toMatchObject([{ local_message_id: '17.1', flags: ['read'] }]);
    expect((await other.events())[0]).not.toHaveProperty('local_message_id');
  });

  it('stores a message once that is sent again under its key, later or at once (protocol/messages#idempotency-keys)', async () => {
    const { max, mia } = world;
    const own = await max.register({ event_types: ['message'] });
    const keyed = { idempotency_key: '18.1' };
    const first = await send(max, 'again', keyed);
    expect(await send(max, 'again', keyed)).toMatchObject({ id: first['id'] });
    const others = [
      await send(max, 'other words', keyed),
      await send(max, 'again', { ...keyed, topic: 'eggs' }),
      await send(max, 'again', { idempotency_key: '18.2' }),
      await send(max, 'again', { queue_id: own.id, local_id: '18.1' }),
      await send(max, 'again', { queue_id: own.id, local_id: '18.1' }),
      await send(mia, 'again', keyed),
      await send(max, 'again'),
    ];
    const atOnce = await Promise.all([1, 2, 3, 4].map(() => send(max, 'at once', keyed)));
    const ids = [first, ...others, ...atOnce].map((answer): number => answer['id']);
    expect(new Set(ids).size).toBe(1 + others.length + 1);
    expect((await own.events()).map(({ message }) => message.id)).toEqual([...new Set(ids)]);
  });

  it('takes under its key what was refused before', async () => {
    const { max, olive } = world;
    const keyed = { type: 'channel', to: 'wharf', topic: 'x', content: 'later', idempotency_key: '1' };
    await max.refused('POST', '/messages', keyed);
    await olive.post('/channels/create', { name: 'wharf', subscribers: [max.userId] });
    const { id } = await max.post('/messages', keyed);
    expect(await max.post('/messages', keyed)).toMatchObject({ id });
  });
});
