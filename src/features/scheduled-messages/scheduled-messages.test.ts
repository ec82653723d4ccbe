import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUser } from '#features/users';
import type { UserId } from '#kernel/ids';
import type { Body, Client, Parameters } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const HOUR = 3600;

describe.each(databases)('scheduled messages on %s', (database) => {
  let world: World;
  let channel: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    ({ id: channel } = await max.post('/channels/create', {
      name: 'birds',
      subscribers: [max.userId, mia.userId],
    }));
    await world.server.context.jobs.idle();
  });
  afterAll(() => world.close());

  const later = (seconds = HOUR) => world.clock.now() + seconds;
  const toMia = (fields: Parameters = {}): Parameters => ({
    type: 'direct',
    to: [world.mia.userId],
    content: 'hello',
    scheduled_delivery_timestamp: later(),
    ...fields,
  });
  const toBirds = (fields: Parameters = {}): Parameters =>
    toMia({ type: 'channel', to: channel, topic: 'nests', ...fields });
  const schedule = async (client: Client, fields: Parameters): Promise<number> =>
    (await client.post('/scheduled_messages', fields))['scheduled_message_id'];
  const listed = async (client: Client): Promise<Body[]> =>
    (await client.get('/scheduled_messages'))['scheduled_messages'];
  const refusal = async (client: Client, fields: Parameters, id?: number) => {
    const path = id === undefined ? '/scheduled_messages' : `/scheduled_messages/${id}`;
    return client.refused(id === undefined ? 'POST' : 'PATCH', path, fields);
  };
  const clear = async (client: Client) => {
    for (const { scheduled_message_id: id } of await listed(client)) await client.delete(`/scheduled_messages/${id}`);
  };

  it('are kept, changed, listed and thrown away by their owner, who alone hears of it (protocol/saved#editing-a-scheduled-message, protocol/saved#scheduled-messages)', async () => {
    const { max, mia } = world;
    const first = {
      type: 'private',
      to: [mia.userId],
      content: '*hello*',
      rendered_content: '<p><em>hello</em></p>',
      scheduled_delivery_timestamp: later(),
      failed: false,
    };
    const second = { ...first, type: 'stream', to: channel, topic: 'nests', scheduled_delivery_timestamp: later(60) };
    let ids: number[] = [];
    const [own, other] = await expectSync([max, mia], async () => {
      ids = [
        await schedule(max, toMia({ content: '\n*hello* \n', to: [max.userId, mia.userId, mia.userId] })),
        await schedule(max, toBirds({ content: '*hello*', topic: ' nests ', scheduled_delivery_timestamp: later(60) })),
      ];
      expect(await listed(max)).toEqual([
        { scheduled_message_id: ids[1], ...second },
        { scheduled_message_id: ids[0], ...first },
      ]);
      await max.patch(`/scheduled_messages/${ids[0]}`, { content: 'bye', topic: 'ignored' });
      await max.delete(`/scheduled_messages/${ids[1]}`);
    });
    expect(own).toMatchObject([
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [{ scheduled_message_id: ids[0], ...first }] },
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [{ scheduled_message_id: ids[1], ...second }] },
      {
        type: 'scheduled_messages',
        op: 'update',
        scheduled_message: { ...first, content: 'bye', rendered_content: '<p>bye</p>' },
      },
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: ids[1] },
    ]);
    expect(other).toEqual([]);
    expect(await listed(mia)).toEqual([]);
    expect((await world.gus.register()).state['scheduled_messages']).toEqual([]);
    await clear(max);
  });

  it('are refused in the order of protocol/saved#scheduled-messages and protocol/saved#checks-of-a-scheduled-message, step 8', async () => {
    const { max, gus } = world;
    const ended = await world.user({ email: 'ended@roost.test' });
    await world.server.context.store
      .in(world.realm)
      .write((tx) => setUser(tx, ended.userId as UserId, { is_active: false }));
    const rows: [Client, Parameters, string][] = [
      [max, { ...toMia(), type: 'group' }, 'Invalid type: Value error, Not in the list of possible values'],
      [max, toMia({ to: 'someone', type: 'stream' }), 'to is not valid JSON'],
      [
        max,
        toMia({ to: [], scheduled_delivery_timestamp: later(0) }),
        'Scheduled delivery time must be in the future.',
      ],
      [max, toBirds({ to: [channel], topic: undefined }), 'Invalid data type for channel ID'],
      [max, toMia({ to: 7, content: '' }), 'Invalid data type for recipients'],
      [max, toMia({ to: [], content: '' }), 'Message must have recipients'],
      [max, toMia({ to: [999_999], content: '' }), 'Invalid user ID 999999'],
      [max, toBirds({ topic: undefined, content: '' }), 'Missing topic'],
      [max, toBirds({ content: ' \n', topic: 'a\u0007' }), 'Message must not be empty'],
      [max, toBirds({ content: 'a\u0000', topic: 'a\u0007' }), 'Message must not contain null bytes'],
      [max, toBirds({ topic: 'a\u0007', to: 999_999 }), 'Invalid character in topic, at position 2!'],
      [max, toBirds({ to: 999_999 }), "Channel with ID '999999' does not exist"],
      [gus, toBirds(), `Channel with ID '${channel}' does not exist`],
      [max, toMia({ to: [ended.userId] }), "'ended@roost.test' is no longer using Roost."],
    ];
    for (const [client, fields, msg] of rows) expect((await refusal(client, fields)).msg).toBe(msg);
    for (const to of ['"abc"', '["x"]', '{}', '1.5'])
      expect([to, (await refusal(max, toMia({ to }))).msg]).toEqual([to, 'to["int"] is not an integer']);
    expect(await refusal(max, toBirds({ to: 999_999 }))).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: 999_999,
    });
    expect(await listed(max)).toEqual([]);
  });

  it('are changed in the order of protocol/saved#editing-a-scheduled-message', async () => {
    const { max, mia } = world;
    const id = await schedule(max, toMia());
    const future = 'Scheduled delivery time must be in the future.';
    const rows: [Parameters, string][] = [
      [{}, 'Nothing to change'],
      [{ type: 'channel' }, 'Recipient required when updating type of scheduled message.'],
      [
        { type: 'stream', to: [1], scheduled_delivery_timestamp: 0 },
        'Topic required when updating scheduled message type to channel.',
      ],
      [{ content: '', scheduled_delivery_timestamp: later(0) }, future],
      [{ to: channel }, 'Invalid data type for recipients'],
      [{ type: 'channel', to: [channel], topic: 'x' }, 'Invalid data type for channel ID'],
      [{ content: '' }, 'Message must not be empty'],
      [{ type: 'channel', to: 999_999, topic: 'x' }, "Channel with ID '999999' does not exist"],
    ];
    for (const [fields, msg] of rows) expect((await refusal(max, fields, id)).msg).toBe(msg);
    const missing = { status: 404, code: 'BAD_REQUEST', msg: 'Scheduled message does not exist' };
    for (const [client, unknown] of [
      [mia, id],
      [max, 999_999],
    ] as const) {
      expect((await refusal(client, { scheduled_delivery_timestamp: 1 }, unknown)).msg).toBe(future);
      expect(await refusal(client, { content: '' }, unknown)).toMatchObject(missing);
      expect(await client.refused('DELETE', `/scheduled_messages/${unknown}`)).toMatchObject(missing);
    }
    await max.patch(`/scheduled_messages/${id}`, { type: 'stream', to: channel, topic: `${'t'.repeat(70)}` });
    expect(await listed(max)).toMatchObject([{ type: 'stream', to: channel, topic: `${'t'.repeat(57)}...` }]);
    await max.patch(`/scheduled_messages/${id}`, { subject: '(no topic)' });
    expect(await listed(max)).toMatchObject([{ type: 'stream', to: channel, topic: '', content: 'hello' }]);
    await max.patch(`/scheduled_messages/${id}`, { type: 'private', to: [max.userId], topic: 'ignored' });
    const [own] = await listed(max);
    expect(own).toMatchObject({ type: 'private', to: [max.userId] });
    expect(own).not.toHaveProperty('topic');
    await clear(max);
  });

  it('are refused where their sender lacks a right, and cut where they are long (protocol/saved#checks-of-a-scheduled-message, step 8)', async () => {
    const { max, mia, gus, olive, realm } = world;
    const own = await schedule(max, toMia());
    const made = async (name: string) => {
      await olive.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [olive.userId, max.userId],
      });
      return (await olive.get('/get_stream_id', { stream: name }))['stream_id'] as number;
    };
    const [gone, named, bare] = [await made('attic'), await made('named'), await made('bare')];
    await olive.delete(`/streams/${gone}`);
    await olive.patch(`/streams/${named}`, { topics_policy: 'disable_empty_topic' });
    await olive.patch(`/streams/${bare}`, { topics_policy: 'empty_topic_only' });
    const rows: [number, string, string][] = [
      [gone, 'x', "Not authorized to send to channel 'attic'"],
      [named, '(no topic)', 'Sending messages to the general chat is not allowed in this channel.'],
      [bare, 'x', 'Only the general chat topic is allowed in this channel.'],
    ];
    for (const [to, topic, msg] of rows)
      expect((await refusal(max, { type: 'channel', to, topic }, own)).msg).toBe(msg);
    const both = { topic: 'x', subject: 'y', to: channel, type: 'channel' };
    expect((await refusal(max, both, own)).code).toBe('REQUEST_CONFUSING_VAR');
    await max.patch(`/scheduled_messages/${own}`, { content: 'x'.repeat(10_001) });
    const [cut] = await listed(max);
    expect(cut?.['content']).toHaveLength(10_000);
    expect(cut?.['content']).toMatch(/x\n\[message truncated\]$/);
    const members = { new: realm.groups['role:members'] };
    const everyone = { new: realm.groups['role:everyone'] };
    const nobody = { new: realm.groups['role:nobody'] };
    await olive.patch('/realm', { can_access_all_users_group: members });
    const unseen = 'You do not have permission to access some of the recipients.';
    expect((await refusal(gus, toMia())).msg).toBe(unseen);
    await olive.patch('/realm', { can_access_all_users_group: everyone });
    await olive.patch('/realm', { direct_message_initiator_group: nobody });
    const stranger = await world.user();
    const initiate = 'You do not have permission to initiate direct message conversations.';
    expect((await refusal(max, { to: [stranger.userId] }, own)).msg).toBe(initiate);
    await olive.patch('/realm', { direct_message_initiator_group: everyone, direct_message_permission_group: nobody });
    expect((await refusal(max, { content: 'y' }, own)).msg).toBe('Direct messages are disabled in this organization.');
    await olive.patch('/realm', { direct_message_permission_group: { new: realm.groups['role:administrators'] } });
    const unauthorized = 'This conversation does not include any users who can authorize it.';
    expect((await refusal(max, { to: [mia.userId] }, own)).msg).toBe(unauthorized);
    await olive.patch('/realm', { direct_message_permission_group: everyone });
    await clear(max);
  });

  it('are changed by two at once without one being lost', async () => {
    const { max } = world;
    const id = await schedule(max, toBirds());
    const own = await max.register({ event_types: ['scheduled_messages'] });
    await Promise.all([
      max.patch(`/scheduled_messages/${id}`, { content: 'first' }),
      max.patch(`/scheduled_messages/${id}`, { topic: 'second' }),
      max.patch(`/scheduled_messages/${id}`, { scheduled_delivery_timestamp: later(7200) }),
    ]);
    expect(await listed(max)).toMatchObject([
      { content: 'first', topic: 'second', scheduled_delivery_timestamp: later(7200) },
    ]);
    expect(await own.events()).toHaveLength(3);
    await clear(max);
  });
});
