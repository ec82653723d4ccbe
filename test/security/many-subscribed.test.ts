import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { insertPeople } from '../support/people.ts';
import { collectGarbage } from '../support/processor.ts';
import { openWorld, type World } from '../support/world.ts';

const [PEOPLE, CHANNELS] = [2000, 800];
/** MiB that stay of an event about them all, and of what is known of a channel; they were 20. */
const MAX_MIB = 10;

describe.each(databases)('thousands of people who are subscribed at once, on %s', (database) => {
  let world: World;
  let principals: readonly number[];
  beforeAll(async () => {
    world = await openWorld(database);
    const { max } = world;
    principals = await insertPeople(world, PEOPLE);
    const subscriptions = Array.from({ length: CHANNELS }, (_none, n) => ({ name: `own ${n}` }));
    await max.post('/users/me/subscriptions', { subscriptions });
  }, 120_000);
  afterAll(() => world.close());

  const heapMib = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };

  it('take little memory where IDs of channels are less than a thousand', async () => {
    const subscribe = (name: string) =>
      world.max.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
    await subscribe('first');
    const before = heapMib();
    await subscribe('second');
    expect(heapMib() - before).toBeLessThan(MAX_MIB);
  });
});
