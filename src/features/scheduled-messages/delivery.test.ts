import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUser } from '#features/users';
import type { UserId } from '#kernel/ids';
import type { Body, Client, Parameters, TestQueue } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { inGerman } from '../../../test/support/language.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const MINUTE_MS = 60_000;

describe.each(databases)('scheduled messages when they fall due, on %s', (database) => {
  let world: World;
  let channel: number;
  beforeAll(async () => {
    world = await openWorld(database);
    world.server.context.jobs.start(world.server.context);
    await world.server.context.jobs.idle();
  });
  beforeEach(async () => {
    const { max, mia } = world;
    const name = `birds ${world.clock.nowMs()}`;
    ({ id: channel } = await max.post('/channels/create', { name, subscribers: [max.userId, mia.userId] }));
    await world.server.context.jobs.idle();
  });
  afterAll(() => world.close());

  const schedule = async (client: Client, fields: Parameters = {}): Promise<number> => {
    const { scheduled_message_id: id } = await client.post('/scheduled_messages', {
      type: 'channel',
      to: channel,
      topic: 'nests',
      content: 'hello',
      scheduled_delivery_timestamp: world.clock.now() + 60,
      ...fields,
    });
    return id;
  };
  /** Moves the clock and waits for all that falls due by then. */
  const pass = async (ms: number) => {
    world.clock.advance(ms);
    await world.server.context.jobs.idle();
  };
  const events = async (queue: TestQueue): Promise<Body[]> => queue.events();
  const watch = (client: Client) => client.register({ event_types: ['message', 'scheduled_messages'] });
  const listed = async (client: Client) => (await client.get('/scheduled_messages'))['scheduled_messages'];

  it('are sent at their time as the owner, and not before (protocol/saved#delivery)', async () => {
    const { max, mia } = world;
    const id = await schedule(max, { read_by_sender: true });
    const [own, other] = [await watch(max), await watch(mia)];
    await pass(59_000);
    expect(await events(own)).toEqual([]);
    await pass(1_000);
    const message = { content: 'hello', subject: 'nests', stream_id: channel, sender_id: max.userId };
    expect(await events(own)).toMatchObject([
      { type: 'message', message, flags: ['read'] },
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ]);
    expect(await events(other)).toMatchObject([{ type: 'message', message, flags: [] }]);
    expect(await listed(max)).toEqual([]);
    const changed = await max.refused('PATCH', `/scheduled_messages/${id}`, { content: 'x' });
    expect(changed).toMatchObject({ status: 400, msg: 'Scheduled message was already sent' });
    const removed = await max.refused('DELETE', `/scheduled_messages/${id}`);
    expect(removed).toMatchObject({ status: 404, msg: 'Scheduled message does not exist' });
    await pass(9 * MINUTE_MS);
    expect(await events(other)).toEqual([]);
  });

  it('follow the last time they were given, and are not sent once thrown away', async () => {
    const { max, mia } = world;
    const other = await watch(mia);
    const [moved, gone] = [await schedule(max), await schedule(max)];
    await max.patch(`/scheduled_messages/${moved}`, { scheduled_delivery_timestamp: world.clock.now() + 600 });
    await max.delete(`/scheduled_messages/${gone}`);
    await pass(5 * MINUTE_MS);
    expect(await events(other)).toEqual([]);
    await pass(5 * MINUTE_MS);
    expect(await events(other)).toMatchObject([{ type: 'message' }]);
  });

  it('that their owner may no longer send fail, and the owner is told why without learning anything new', async () => {
    const { max, mia, olive } = world;
    const id = await schedule(mia);
    await max.patch(`/streams/${channel}`, { is_private: true, history_public_to_subscribers: false });
    await max.delete('/users/me/subscriptions', {
      subscriptions: [`birds ${world.clock.nowMs()}`],
      principals: [mia.userId],
    });
    await world.server.context.jobs.idle();
    const [own, bystander] = [await watch(mia), await watch(olive)];
    await pass(MINUTE_MS);
    const [update, told] = await events(own);
    expect(update).toMatchObject({
      type: 'scheduled_messages',
      op: 'update',
      scheduled_message: { scheduled_message_id: id, failed: true },
    });
    expect(told?.['message']).toMatchObject({ type: 'private', sender_full_name: 'Notification Bot' });
    const text = told?.['message'].content;
    expect(text).toContain(`to a channel could not be sent: Channel with ID '${channel}' does not exist`);
    expect(text).toContain('](#scheduled)');
    expect(await events(bystander)).toEqual([]);
    expect(await listed(mia)).toMatchObject([{ failed: true }]);
    const again = await mia.refused('PATCH', `/scheduled_messages/${id}`, { content: 'x' });
    expect(again.msg).toBe('Scheduled delivery time must be in the future.');
    await mia.patch(`/scheduled_messages/${id}`, {
      type: 'direct',
      to: [max.userId],
      scheduled_delivery_timestamp: world.clock.now() + 60,
    });
    expect(await listed(mia)).toMatchObject([{ failed: false }]);
    const receiver = await watch(max);
    await pass(MINUTE_MS);
    expect(await events(receiver)).toMatchObject([{ message: { type: 'private', sender_id: mia.userId } }]);
  });

  it('that are found too late fail with that reason', async () => {
    const { max } = world;
    await schedule(max);
    const newest = async () =>
      (await max.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }))[
        'messages'
      ];
    // One move of the clock: nobody looks in between, as when the server was down.
    await pass(60_000 + 601_000);
    expect(await listed(max)).toMatchObject([{ failed: true }]);
    const [told] = await newest();
    expect(told).toMatchObject({ type: 'private', sender_full_name: 'Notification Bot' });
    expect(told.content).toContain('could not be sent: Message could not be sent at the scheduled time.');
    await max.delete(`/scheduled_messages/${(await listed(max))[0].scheduled_message_id}`);
  });

  it('fail with a notice in the language of the organization', async () => {
    const { max, mia } = world;
    const name = `birds ${world.clock.nowMs()}`;
    await schedule(max);
    await schedule(mia);
    await max.patch(`/streams/${channel}`, { is_private: true, history_public_to_subscribers: false });
    await max.delete('/users/me/subscriptions', { subscriptions: [name], principals: [mia.userId] });
    await inGerman(world, () => pass(60_000 + 601_000));
    const told = async (client: Client) => {
      const page = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
      return (await client.get('/messages', page))['messages'][0].content;
    };
    const time = /Deine für <time:\S+> geplante Nachricht an/.source;
    const end =
      /konnte nicht gesendet werden: Die Nachricht konnte zum geplanten Zeitpunkt nicht gesendet werden\.\n\n\[Geplante Nachrichten ansehen\]\(#scheduled\)$/
        .source;
    expect(await told(max)).toMatch(new RegExp(`^${time} #\\*\\*${name}>nests\\*\\* ${end}`));
    expect(await told(mia)).toMatch(new RegExp(`^${time} einen Kanal ${end}`));
    for (const client of [max, mia])
      for (const { scheduled_message_id } of await listed(client))
        await client.delete(`/scheduled_messages/${scheduled_message_id}`);
  });

  it('of a deactivated owner fail silently', async () => {
    const { mia } = world;
    const owner = await world.user();
    await schedule(owner, { type: 'direct', to: [mia.userId] });
    const other = await watch(mia);
    const activate = (is_active: boolean) =>
      world.server.context.store.in(world.realm).write((tx) => setUser(tx, owner.userId as UserId, { is_active }));
    await activate(false);
    await pass(MINUTE_MS);
    await activate(true);
    expect(await listed(owner)).toMatchObject([{ failed: true }]);
    expect(await events(other)).toEqual([]);
    const { messages } = await owner.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0 });
    expect(messages.filter((message: Body) => message['type'] === 'private')).toEqual([]);
  });

  it.runIf(database === 'postgres')('are sent once by two processes that both look', async () => {
    const { max, mia } = world;
    const second = await world.anotherServer();
    second.context.jobs.start(second.context);
    const contents = Array.from({ length: 50 }, (_, number) => `number ${number}`);
    for (const content of contents) await schedule(max, { content });
    const other = await watch(mia);
    world.clock.advance(MINUTE_MS);
    await Promise.all([world.server.context.jobs.idle(), second.context.jobs.idle()]);
    const sent = (await events(other)).map((event) => event['message'].content);
    expect(sent).toHaveLength(contents.length);
    expect(new Set(sent)).toEqual(new Set(contents));
    expect(await listed(max)).toEqual([]);
  });
});
