import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client, Reply } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Rounds of each race; in each, the right is taken away some turns of the event loop later, or before. */
const ROUNDS = 12;
/** Turns of the event loop after which the second begins: few in the first rounds, and many in the last. */
const turnsOf = (round: number) => round ** 2;

describe.each(databases)('a right that is taken away beside its use, on %s', (database) => {
  let world: World;
  /** Clients of an account at each process of the organization: two on PostgreSQL. */
  let processes: readonly ((client: Client) => Client)[];
  beforeAll(async () => {
    world = await openWorld(database, { mode: 'production' });
    const servers = [world.server, ...(database === 'postgres' ? [await world.anotherServer()] : [])];
    processes = servers.map((server) => (client: Client) => client.at(server));
  });
  afterAll(() => world.close());

  /** Uses a right in several ways while it is taken away; returns the answers to the uses. */
  async function race(
    round: number,
    uses: readonly (() => Promise<Reply>)[],
    takeAway: () => Promise<unknown>,
  ): Promise<readonly Reply[]> {
    const taking = turns(round % 2 === 0 ? 0 : turnsOf(round)).then(takeAway);
    const using = turns(round % 2 === 0 ? turnsOf(round) : 0).then(() => Promise.all(uses.map((use) => use())));
    const [answers] = await Promise.all([using, taking]);
    for (const { status, body } of answers) expect([status, body], JSON.stringify(body)).not.toContain(500);
    return answers;
  }

  async function turns(count: number): Promise<void> {
    for (let left = count; left > 0; left--) await turn();
  }

  /** Checks that nothing of the right's use came after its end. */
  function assertOrder(events: readonly Body[], isEnd: (event: Body) => boolean, isUse: (event: Body) => boolean) {
    const end = events.findIndex(isEnd);
    expect(end, 'the right has ended').toBeGreaterThanOrEqual(0);
    expect(events.slice(end).filter(isUse)).toEqual([]);
  }

  /** Checks that no use is let through, by any process, once it is answered that the right is gone. */
  async function assertOver(uses: readonly (() => Promise<Reply>)[]) {
    const late = await Promise.all(uses.map((use) => use()));
    expect(late.map(({ status }) => status).filter((status) => status < 400 || status >= 500)).toEqual([]);
  }

  /** Checks that some used the right in time: otherwise nothing was tried. */
  function assertTried(answers: readonly Reply[]) {
    expect(answers.map(({ status }) => status)).toContain(200);
  }

  it('lets nobody write after they are deactivated, in the order of events', async () => {
    const answers: Reply[] = [];
    await world.adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'quay' }] });
    const { stream_id } = await world.adam.get('/get_stream_id', { stream: 'quay' });
    for (let round = 0; round < ROUNDS; round++) {
      const person = await world.user();
      const leaver = processes[round % processes.length]?.(person) ?? person;
      await leaver.post('/users/me/subscriptions', { subscriptions: [{ name: 'quay' }] });
      const own = { type: 'stream', to: stream_id, topic: 't', content: 'before' };
      const { id } = await leaver.post('/messages', own);
      const uses = [
        () => leaver.request('POST', '/messages', { ...own, content: 'sent' }),
        () => leaver.request('PATCH', `/messages/${id}`, { content: 'edited' }),
        () => leaver.request('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }),
        () => leaver.request('POST', '/users/me/status', { status_text: 'still here' }),
        () => leaver.request('POST', '/users/me/subscriptions', { subscriptions: [{ name: `of ${round}` }] }),
        () => leaver.request('POST', '/user_groups/create', { name: `of ${round}`, description: '', members: [] }),
      ];
      const queue = await world.olive.register();
      answers.push(...(await race(round, uses, () => world.olive.delete(`/users/${person.userId}`))));
      assertOrder(
        await queue.events(),
        ({ type, person: changed }) =>
          type === 'realm_user' && changed.user_id === person.userId && changed.is_active === false,
        ({ type, message, user_id, person: changed, group }) =>
          message?.sender_id === person.userId ||
          (['reaction', 'update_message'].includes(type) && user_id === person.userId) ||
          (type === 'subscription' && user_id === person.userId) ||
          (type === 'user_group' && group?.creator_id === person.userId) ||
          (type === 'realm_user' && changed.user_id === person.userId && changed.is_active !== false),
      );
      await assertOver(uses);
    }
    assertTried(answers);
  });

  it('lets nobody change the organization after their role is gone, in the order of events', async () => {
    const answers: Reply[] = [];
    await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'harbour' }] });
    const { stream_id } = await world.olive.get('/get_stream_id', { stream: 'harbour' });
    const role = (value: number) => world.olive.patch(`/users/${world.adam.userId}`, { role: value });
    for (let round = 0; round < ROUNDS; round++) {
      await role(200);
      const admin = processes[round % processes.length]?.(world.adam) ?? world.adam;
      const uses = [
        () => admin.request('PATCH', '/realm', { name: `Roost ${round}` }),
        () => admin.request('PATCH', `/streams/${stream_id}`, { description: `of ${round}` }),
        () =>
          admin.request('POST', '/realm/filters', {
            pattern: `R${round}-(?P<id>[0-9]+)`,
            url_template: 'https://a.test/{id}',
          }),
        () => admin.request('PATCH', `/users/${world.mia.userId}`, { full_name: `Mia ${round}` }),
      ];
      const queue = await world.olive.register();
      answers.push(...(await race(round, uses, () => role(400))));
      assertOrder(
        await queue.events(),
        ({ type, person }) => type === 'realm_user' && person.user_id === world.adam.userId && person.role === 400,
        ({ type, person }) =>
          ['realm', 'stream', 'realm_linkifiers'].includes(type) ||
          (type === 'realm_user' && person.user_id === world.mia.userId),
      );
      await assertOver(uses);
    }
    assertTried(answers);
  });

  it('shows and takes nothing of a private channel after somebody was removed from it', async () => {
    const answers: Reply[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const name = `vault ${round}`;
      const { olive, max, mia } = world;
      const everybody = [olive.userId, max.userId];
      await olive.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: everybody,
        invite_only: true,
      });
      const { stream_id } = await olive.get('/get_stream_id', { stream: name });
      const { id } = await olive.post('/messages', { type: 'stream', to: stream_id, topic: 't', content: 'secret' });
      const leaver = processes[round % processes.length]?.(max) ?? max;
      const [queue, own] = [await olive.register(), await leaver.register()];
      const uses = [
        () => leaver.request('POST', '/messages', { type: 'stream', to: stream_id, topic: 't', content: 'mine' }),
        () => leaver.request('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }),
        () =>
          leaver.request('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [mia.userId] }),
        ...[1, 2, 3].map(
          (n) => () =>
            olive.request('POST', '/messages', { type: 'stream', to: stream_id, topic: 't', content: `after ${n}` }),
        ),
      ];
      const remove = () => olive.delete('/users/me/subscriptions', { subscriptions: [name], principals: [max.userId] });
      answers.push(...(await race(round, uses, remove)).slice(0, 3));
      assertOrder(
        await queue.events(),
        ({ type, op, user_ids }) => type === 'subscription' && op === 'peer_remove' && user_ids.includes(max.userId),
        ({ type, op, message, user_id }) =>
          message?.sender_id === max.userId ||
          (type === 'reaction' && user_id === max.userId) ||
          (type === 'subscription' && op === 'peer_add'),
      );
      assertOrder(
        await own.events(),
        ({ type, op, subscriptions }) =>
          type === 'subscription' && op === 'remove' && subscriptions.some((one: Body) => one['name'] === name),
        ({ type, message }) => message?.stream_id === stream_id || type === 'reaction',
      );
    }
    assertTried(answers);
  });
});
