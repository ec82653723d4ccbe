import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client, TestQueue } from '../support/client.ts';
import { databasesInTurn } from '../support/databases.ts';
import { applyEvent, MODERN, pick, syncedFields, toldFields } from '../support/sync.ts';
import { openWorld, type World } from '../support/world.ts';
import { CHANNELS } from './sync/channels.ts';
import { CONVERSATION } from './sync/conversation.ts';
import { ORGANIZATION } from './sync/organization.ts';
import { OWN } from './sync/own.ts';
import { PEOPLE } from './sync/people.ts';
import { Picks, thingsOf } from './sync/picks.ts';

/** Milliseconds after which nothing more is tried; with another `ROOST_TEST_SEED`, minutes find more. */
const BUDGET_MS = Number(process.env['ROOST_TEST_BUDGET_MS'] ?? 8_000);
const MOST_STEPS = 100_000;
const STEPS = Object.entries({ ...CONVERSATION, ...CHANNELS, ...PEOPLE, ...OWN, ...ORGANIZATION });

/** What differs from one registration to the next. */
const PASSING = new Set(['queue_id', 'last_event_id', 'server_timestamp', 'presences', 'presence_last_update_id']);

describe.each(databasesInTurn(import.meta.url))('the law of sync on %s', (database) => {
  let world: World;
  let people: Client[];
  beforeAll(async () => {
    // In production mode parts of the state are kept until an event ends them.
    world = await openWorld(database, { mode: 'production' });
    const { olive, adam, mona, max, mia, gus } = world;
    people = [olive, adam, mona, max, mia, gus, await world.user({ role: 600 })];
    const principals = people.map((one) => one.userId);
    for (const name of ['birds', 'fish', 'nest'])
      await olive.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
  });
  afterAll(() => world.close());

  const registerAll = () => Promise.all(people.map((one) => one.register(MODERN)));

  /** Brings back whoever was deactivated, except the owner, who cannot be. */
  const reactivateAll = async () => {
    for (const one of people.slice(1))
      if ((await one.request('GET', '/users/me')).status !== 200)
        await world.olive.post(`/users/${one.userId}/reactivate`);
  };

  /** The state after the events, and the one of registering again; undefined if the account had to come back. */
  const compare = async (viewer: Client, queue: TestQueue, fresh: TestQueue, what: string) => {
    const { status } = await viewer.request('GET', '/events', {
      queue_id: queue.id,
      last_event_id: -1,
      dont_block: true,
    });
    if (status !== 200) return;
    const events = await queue.events();
    const who = `user ${viewer.userId} after ${what}, told ${JSON.stringify(events)}`;
    if (events.length === 0) expect(lasting(fresh.state), who).toEqual(lasting(queue.state));
    if (events.some((event) => isOwnRole(event, viewer))) return;
    const kept = events.reduce((state, event) => applyEvent(state, event, viewer.userId), queue.state);
    const fields = toldFields(kept, syncedFields());
    expect(comparable(pick(kept, fields)), who).toEqual(comparable(pick(fresh.state, fields)));
  };

  it('holds for everybody after every change', async () => {
    const deadline = performance.now() + BUDGET_MS;
    const choice = fc.record({ act: fc.nat(STEPS.length - 1), one: fc.nat(13), seed: fc.nat() });
    let queues = await registerAll();
    const done = new Map<string, number>();
    for (const { act, one, seed } of fc.sample(choice, MOST_STEPS)) {
      if (performance.now() > deadline) break;
      // The owner acts half of the time, so that most things are allowed.
      const actor = people[one] ?? world.olive;
      const own = queues[people.indexOf(actor)]?.state ?? {};
      const things = await thingsOf(world.olive, queues[0]?.state ?? {});
      const [name = '', step] = STEPS[act] ?? [];
      const request = step?.(new Picks(seed, { things, people, own, nowMs: world.clock.nowMs() })) ?? ['POST', '/'];
      const { status, body } = await actor.request(...request);
      expect(status, `${name}: ${JSON.stringify([request, body])}`).toBeLessThan(500);
      if (status !== 200) continue;
      done.set(name, (done.get(name) ?? 0) + 1);
      await reactivateAll();
      const next = await registerAll();
      for (const [index, viewer] of people.entries()) {
        const [queue, fresh] = [queues[index], next[index]];
        if (queue && fresh)
          await compare(viewer, queue, fresh, `"${name}" by user ${actor.userId}: ${JSON.stringify(request)}`);
      }
      queues = next;
    }
    expect(done.size, 'kinds of changes').toBeGreaterThan(3);
  });
});

/** Whoever gets another role registers again: what administrators see of others has no events. */
const isOwnRole = ({ type, person }: Body, { userId }: Client) =>
  type === 'realm_user' && person.user_id === userId && person.role !== undefined;

const lasting = (state: Body): Body => Object.fromEntries(Object.entries(state).filter(([name]) => !PASSING.has(name)));

/** Leaves out what events cannot tell. */
function comparable(state: Body): Body {
  const { unsubscribed = [], never_subscribed = [], reminders, starred_messages: _starred, ...others } = state;
  return {
    ...others,
    // Whoever sees a channel again is not told whether they once were subscribed.
    never_subscribed: [...unsubscribed, ...never_subscribed]
      .map((row: Body) => row['stream_id'])
      .toSorted((a, b) => a - b),
    // The text depends on whether its owner may still read the message.
    reminders: reminders?.map(({ content: _content, rendered_content: _rendered, ...row }: Body) => row),
  };
}
