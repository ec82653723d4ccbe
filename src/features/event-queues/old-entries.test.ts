import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { event } from '#kernel/events';
import { asId, type UserId } from '#kernel/ids';
import { str } from '#kernel/schema';
import { databases } from '../../../test/support/databases.ts';
import { countStatements } from '../../../test/support/statements.ts';
import { openWorld, untilParked, type World } from '../../../test/support/world.ts';

const MILLION = 1_000_000;
const large = event({ type: 'large', source: 'protocol/events#own-data', payload: { text: str() } });

describe.each(databases)('entries that are no longer in memory, on %s', (database) => {
  let world: World;
  beforeEach(async () => (world = await openWorld(database, { emitsAnything: true })));
  afterEach(() => world.close());

  const say = (content: string) => world.max.post('/messages', { type: 'direct', to: [world.max.userId], content });

  /** Registers a queue, says more than is read at once, and fills the memory with something else. */
  const filled = async (narrow: string) => {
    const few = { event_types: ['message'], fetch_event_types: [], narrow: [['is', narrow]] };
    const { queue_id, last_event_id } = await world.max.post('/register', few);
    for (let n = 0; n < 40; n++) await say('x'.repeat(10_000));
    const { context } = world.server;
    const text = 'x'.repeat(MILLION);
    await context.store.of(world.realm.id).write(async (tx) => {
      for (let n = 0; n < 13; n++) tx.emit(large({ text }, { audience: { users: [] } }));
    });
    expect(context.events.isRecent(world.realm.id, last_event_id)).toBe(false);
    return () => world.max.get('/events', { queue_id, last_event_id, dont_block: true });
  };

  it('come together, though they are read in portions', async () => {
    const poll = await filled('dm');
    expect((await poll())['events']).toHaveLength(40);
  });

  it('are looked through once for a queue that takes none of them', async () => {
    const poll = await filled('starred');
    const first = await countStatements(world, poll);
    const again = async () => countStatements(world, poll);
    expect(Math.min(await again(), await again(), await again())).toBeLessThan(first - 1);
    const { id } = await say('one more');
    await world.max.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    expect((await poll())['events']).toEqual([]);
  });

  it('are looked through for the newest poll, which ends the one before', async () => {
    const poll = await filled('dm');
    const answers = await Promise.all(Array.from({ length: 8 }, poll));
    const found = answers.map(({ events }) => events.length);
    expect([Math.min(...found), Math.max(...found)]).toEqual([0, 40]);
    expect((await poll())['events']).toHaveLength(40);
  });

  it('leave others a turn between large answers', async () => {
    const { max, server, realm } = world;
    const { context } = server;
    const viewer = {
      user_id: asId<UserId>(max.userId),
      role: 400,
      previous_role: 400,
      role_event_id: 0,
      is_active: true,
      hidden: undefined,
    };
    let turn = 0;
    let isOver = false;
    const count = () => {
      turn++;
      if (!isOver) setImmediate(count);
    };
    const turns: number[] = [];
    for (let n = 0; n < 4; n++) {
      const { queue_id, last_event_id } = await max.post('/register', { fetch_event_types: [] });
      const poll = await context.queues.open(viewer, realm.id, queue_id, last_event_id);
      poll.wait(false, { answer: () => turns.push(turn), isGone: () => false, onGone: () => undefined });
    }
    await untilParked(world, 4);
    count();
    const audience = { users: [viewer.user_id] };
    await context.store.of(realm.id).write(async (tx) => tx.emit(large({ text: 'x'.repeat(MILLION) }, { audience })));
    await expect.poll(() => turns.length).toBe(4);
    isOver = true;
    expect(new Set(turns).size).toBe(4);
  });
});
