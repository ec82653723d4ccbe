import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client, TestQueue } from '../../test/support/client.ts';
import { databases } from '../../test/support/databases.ts';
import { MODERN } from '../../test/support/sync.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { Model } from './index.ts';

const PARAMETERS = {
  ...MODERN,
  apply_markdown: true,
  include_subscribers: false,
  slim_presence: true,
  client_capabilities: { ...MODERN.client_capabilities, simplified_presence_events: true },
};

/** The fields to compare: those that events keep up to date. Presences also change with time. */
function stateOf(model: Model): Body {
  const { last_event_id: _position, presences: _presences, ...state } = model.toWire() as unknown as Body;
  const volatile =
    /^(queue_id|server_timestamp|presence_last_update_id|idle_queue|muted_topics|realm_(create_.*_policy|wildcard_mention_policy))/;
  return Object.fromEntries(
    Object.entries(state)
      .filter(([name, value]) => !volatile.test(name) && value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? sorted(value) : value]),
  );
}

/** Sorted, because the order of rows has no meaning: views choose it. */
const sorted = (rows: readonly unknown[]) =>
  rows
    .map((row) => [JSON.stringify(row), row] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);

function loaded(state: Body): Model {
  const model = new Model();
  model.load(state as never);
  return model;
}

describe.each(databases)('the state kept by the web client on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.olive.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'general' }, { name: 'random' }],
      principals: [world.max.userId, world.mia.userId],
    });
  });
  afterAll(() => world.close());

  async function law(viewers: readonly Client[], act: () => Promise<unknown>): Promise<void> {
    const queues = await Promise.all(viewers.map((viewer) => viewer.register(PARAMETERS)));
    await act();
    for (const [index, queue] of queues.entries()) {
      const viewer = viewers[index];
      if (viewer) await expectSame(viewer, queue);
    }
  }

  async function expectSame(viewer: Client, queue: TestQueue): Promise<void> {
    const kept = loaded(queue.state);
    for (const event of await queue.events()) kept.apply(event as never, 0);
    const fresh = loaded((await viewer.register(PARAMETERS)).state);
    const [mine, theirs] = [stateOf(kept), stateOf(fresh)];
    // A field that events do not determine may be unknown, but not wrong.
    const told = Object.keys(theirs).filter((name) => name in mine);
    expect(Object.fromEntries(told.map((name) => [name, mine[name]]))).toEqual(
      Object.fromEntries(told.map((name) => [name, theirs[name]])),
    );
    expect(stateOf(loaded(JSON.parse(JSON.stringify(kept.toWire()))))).toEqual(mine);
  }

  it('follows people', async () => {
    const { olive, max, mia } = world;
    const bea = await world.user({ full_name: 'Bea' });
    await law([olive, max, mia], async () => {
      await olive.patch(`/users/${bea.userId}`, { full_name: 'Beatrix', role: 300 });
      await max.patch('/settings', { full_name: 'Maximilian', enter_sends: true });
      await max.post('/users/me/status', { status_text: 'away', emoji_name: 'car' });
      await max.post('/users/me/status', { emoji_name: '', emoji_code: '', reaction_type: '' });
      await olive.delete(`/users/${bea.userId}`);
    });
  });

  it('follows channels, groups and what somebody chose for them', async () => {
    const { olive, max, mia } = world;
    await law([olive, max, mia], async () => {
      await max.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'new' }],
        principals: [max.userId, mia.userId],
      });
      const { stream_id } = await max.get('/get_stream_id', { stream: 'new' });
      await max.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id, property: 'is_muted', value: true }],
      });
      await olive.patch(`/streams/${stream_id}`, { new_name: 'newer', description: 'So *new*' });
      await mia.delete('/users/me/subscriptions', { subscriptions: ['newer'] });
      const general = await max.get('/get_stream_id', { stream: 'general' });
      await max.post('/user_topics', { stream_id: general['stream_id'], topic: 'loud', visibility_policy: 1 });
      await olive.post('/user_groups/create', { name: 'birds', description: '', members: [max.userId] });
      await olive.patch('/realm', { name: 'Aviary', message_content_edit_limit_seconds: 60 });
      await olive.delete(`/streams/${stream_id}`);
    });
  });

  it('follows messages: what is unread, what is starred, who wrote last', async () => {
    const { olive, max, mia } = world;
    const { stream_id } = await max.get('/get_stream_id', { stream: 'general' });
    const send = async (content: string, topic = 'greetings') =>
      (await mia.post('/messages', { type: 'stream', to: stream_id, topic, content }))['id'] as number;
    const before = await send('before');
    await law([olive, max, mia], async () => {
      const one = await send('@**Max Member** hello');
      await send('@**Maximilian** hello');
      const two = await send('two', 'elsewhere');
      await mia.post('/messages', { type: 'direct', to: [max.userId], content: 'psst' });
      await mia.post('/messages', { type: 'direct', to: [max.userId, olive.userId], content: 'all of you' });
      await max.post('/messages/flags', { messages: [one, before], op: 'add', flag: 'read' });
      await max.post('/messages/flags', { messages: [one], op: 'remove', flag: 'read' });
      await max.post('/messages/flags', { messages: [two], op: 'add', flag: 'starred' });
      await olive.patch(`/messages/${one}`, { topic: 'moved', propagate_mode: 'change_all' });
      await olive.delete(`/messages/${two}`);
    });
  });

  it('takes no event twice, and lets unknown ones pass', async () => {
    const model = loaded((await world.max.register(PARAMETERS)).state);
    const before = stateOf(model);
    const at = model.position.value;
    model.apply({ id: at, type: 'realm', op: 'update', property: 'name', value: 'Twice' }, 0);
    model.apply({ id: at + 1, type: 'of_a_newer_server', op: 'strange', data: [1] }, 0);
    expect(stateOf(model)).toEqual(before);
    expect(model.position.value).toBe(at + 1);
  });
});
