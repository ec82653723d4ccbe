import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyMessage } from '../support/copies.ts';
import { databases } from '../support/databases.ts';
import { insertPeople } from '../support/people.ts';
import { longestTurnMs } from '../support/processor.ts';
import { openWorld, type World } from '../support/world.ts';

const [PEOPLE, MESSAGES, ROUNDS] = [1000, 400, 3];
/** Milliseconds of processor time; a slice takes 10 to 30. */
const MAX_MS = 100;

/** What was moved to a channel where they were not counts as unread again for everybody who subscribes to it. */
describe.each(databases)('a thousand people who come back to messages that were moved, on %s', (database) => {
  let world: World;
  let people: readonly number[];
  beforeAll(async () => {
    world = await openWorld(database);
    people = await insertPeople(world, PEOPLE);
  }, 120_000);
  afterAll(() => world.close());

  /** Moves messages that all of them have to a channel that they are not in. */
  async function moveAway(from: string, to: string): Promise<void> {
    const { max } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: from }], principals: people });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: to }] });
    const { id } = await max.post('/messages', { type: 'channel', to: from, topic: 'kept', content: 'x' });
    await copyMessage(world, id, MESSAGES - 1);
    const { stream_id } = await max.get('/get_stream_id', { stream: to });
    await max.patch(`/messages/${id + MESSAGES - 1}`, { stream_id, propagate_mode: 'change_all' });
  }

  it('keep nobody waiting', { timeout: 240_000 }, async () => {
    const { max } = world;
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const to = `tree ${round}`;
      await moveAway(`nest ${round}`, to);
      const back = { subscriptions: [{ name: to }], principals: people };
      times.push(await longestTurnMs(() => max.post('/users/me/subscriptions', back)));
    }
    expect(Math.min(...times)).toBeLessThan(MAX_MS);
  });
});
