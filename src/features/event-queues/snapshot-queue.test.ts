import type { ReadTx, RealmReadTx } from '#kernel/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { SnapshotQueue } from './snapshot-queue.ts';

describe.each(databases)('the queue of those who read much, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const many = (count: number) => Array.from({ length: count }, (_, index) => index);
  const head = async (tx: RealmReadTx) => world.server.context.events.head(tx);

  it('reads for many who came together from few snapshots, and for all of them', async () => {
    const queue = new SnapshotQueue(world.server.context.store);
    const snapshots = new Set<ReadTx>();
    const read = (index: number) =>
      queue.read(world.realm.id, async (tx) => {
        snapshots.add(tx);
        return [index, await head(tx)];
      });
    const found = await Promise.all(many(100).map(read));
    expect(found.map(([index]) => index)).toEqual(many(100));
    expect(new Set(found.map(([, position]) => position)).size).toBe(1);
    expect(snapshots.size).toBeLessThan(20);
  });

  it('shows what was written before one came', async () => {
    const queue = new SnapshotQueue(world.server.context.store);
    const waiting = many(40).map(() => queue.read(world.realm.id, head));
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'newer' }] });
    const newest = await world.server.context.events.newest(world.realm.id);
    expect(await queue.read(world.realm.id, head)).toBe(newest);
    for (const position of await Promise.all(waiting)) expect(position).toBeLessThanOrEqual(newest);
  });

  it('tells of a failure whose it is, and reads for the others from another snapshot', async () => {
    const queue = new SnapshotQueue(world.server.context.store);
    const read = (index: number) =>
      queue.read(world.realm.id, async (tx) => {
        if (index === 2) throw new Error('not this one');
        return { index, tx, position: await head(tx) };
      });
    const outcomes = await Promise.allSettled(many(6).map(read));
    expect(outcomes.map(({ status }) => status)).toEqual(
      many(6).map((index) => (index === 2 ? 'rejected' : 'fulfilled')),
    );
    const snapshots = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.tx : undefined));
    expect(snapshots.slice(3)).not.toContain(snapshots[1]);
  });

  it('tells everybody when there is no snapshot', async () => {
    const closed = await openWorld(database);
    const queue = new SnapshotQueue(closed.server.context.store);
    await closed.close();
    const outcomes = await Promise.allSettled(many(3).map(() => queue.read(world.realm.id, head)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});
