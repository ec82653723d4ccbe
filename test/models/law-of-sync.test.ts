import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUser } from '#features/users';
import { asId, type UserId } from '#kernel/ids';
import type { Body, Client, TestQueue } from '../support/client.ts';
import { databasesInTurn } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';
import { CHANNELS } from './sync/channels.ts';
import { CONVERSATION } from './sync/conversation.ts';
import { assertSame, lasting, told } from './sync/comparable.ts';
import { keep } from './sync/kept.ts';
import { assertFresh } from './sync/spectator.ts';
import { ORGANIZATION } from './sync/organization.ts';
import { OWN } from './sync/own.ts';
import { PEOPLE } from './sync/people.ts';
import { Picks, thingsOf } from './sync/picks.ts';
import { MODERN_VIEW, someView, type View } from './sync/views.ts';

/** Milliseconds after which nothing more is tried; with another `ROOST_TEST_SEED`, minutes find more. */
const BUDGET_MS = Number(process.env['ROOST_TEST_BUDGET_MS'] ?? 8_000);
const MINUTE_MS = 60_000;
const MOST_STEPS = 100_000;
const STEPS = Object.entries({ ...CONVERSATION, ...CHANNELS, ...PEOPLE, ...OWN, ...ORGANIZATION });

/** A client of an account, with the state that it keeps. */
interface Viewer {
  readonly account: Client;
  readonly view: View;
  readonly queue: TestQueue;
}

describe.each(databasesInTurn(import.meta.url))('the law of sync on %s', (database) => {
  let world: World;
  /** Owner, people and bots that read; a bot of incoming webhooks only writes. */
  let accounts: Client[];
  let webhook: Client;
  /** A state with all fields, the owner's, and what was changed. */
  let whole: Body;
  let lately: string[];
  beforeAll(async () => {
    // In production mode parts of the state are kept until an event ends them.
    world = await openWorld(database, { mode: 'production' });
    const { olive, adam, mona, max, mia, gus } = world;
    const others = [await world.user({ role: 600, avatar_source: 'G' }), await world.user({ avatar_source: 'G' })];
    world.server.context.jobs.start(world.server.context);
    accounts = [olive, adam, mona, max, mia, gus, ...others, await botOf(max, 1)];
    webhook = await botOf(mia, 2);
    await world.server.context.store
      .in(world.realm)
      .write((tx) => setUser(tx, asId<UserId>(olive.userId), { may_manage_accounts: true }));
    const principals = accounts.map((one) => one.userId);
    await olive.patch('/realm', { enable_spectator_access: true });
    for (const name of ['birds', 'fish', 'nest'])
      await olive.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals,
        is_web_public: name === 'nest',
      });
  });
  afterAll(() => world.close());

  const botOf = async (owner: Client, bot_type: number) => {
    const { user_id } = await owner.post('/bots', {
      full_name: `Bot ${bot_type}`,
      short_name: `b${bot_type}`,
      bot_type,
    });
    return world.clientOf({ id: user_id, email: `b${bot_type}-bot@localhost`, api_key_version: 1 });
  };

  /** Registers; whoever became a guest may no longer ask for all public channels. */
  const open = (account: Client, view: View): Promise<Viewer> =>
    account.register(view.parameters).then(
      (queue) => ({ account, view, queue }),
      async () => ({ account, view: MODERN_VIEW, queue: await account.register(MODERN_VIEW.parameters) }),
    );

  /** Brings back whoever was deactivated, except the owner, who cannot be; people before their bots. */
  const reactivateAll = async () => {
    for (const one of [...accounts.slice(1), webhook])
      if ((await one.request('GET', '/users/me')).status === 401)
        await world.olive.post(`/users/${one.userId}/reactivate`);
  };

  /** Compares the state after the events with the one of registering again, and returns a client that knows the latter. */
  const check = async (viewer: Viewer, next: View): Promise<Viewer> => {
    const fresh = await open(viewer.account, viewer.view);
    if (fresh.view === viewer.view) await compare(viewer, fresh.queue);
    return next === viewer.view ? fresh : open(viewer.account, next);
  };

  const compare = async ({ account, queue, view }: Viewer, fresh: TestQueue) => {
    // The queue of whoever had to come back has ended.
    const request = { queue_id: queue.id, last_event_id: -1, dont_block: true };
    if ((await account.request('GET', '/events', request)).status !== 200) return;
    const events = await queue.events();
    const who = `user ${account.userId} ${JSON.stringify(view.parameters)} after ${lately.join(', ')}, told ${JSON.stringify(events)}`;
    if (events.length === 0 && view.isWhole) assertSame(lasting(queue.state), lasting(fresh.state), who);
    if (events.some((event) => isOwnRole(event, account))) return;
    const kept = keep({ state: queue.state, events, whole, view, me: account.userId });
    const [mine, theirs] = told(kept, fresh.state, view);
    const newest = theirs['max_message_id'];
    // It is one that could not be read where it was before.
    if (mine['max_message_id'] < newest && (await wasMoved(account, newest))) mine['max_message_id'] = newest;
    assertSame(mine, theirs, who);
  };

  /** Moves the clock, and waits for what falls due by then: scheduled messages, reminders, what follows a change. */
  const letTimePass = async (ms: number) => {
    world.clock.advance(ms);
    await world.server.context.jobs.idle();
  };

  it('holds for every client of everybody after every change', { timeout: BUDGET_MS + 100_000 }, async () => {
    const deadline = performance.now() + BUDGET_MS;
    const choice = fc.record({ act: fc.nat(STEPS.length - 1), one: fc.nat(18), seed: fc.nat() });
    let viewers = await Promise.all(accounts.map((one) => open(one, MODERN_VIEW)));
    lately = [];
    const done = new Set<string>();
    for (const { act, one, seed } of fc.sample(choice, MOST_STEPS)) {
      if (performance.now() > deadline && done.size > 3) break;
      // The owner acts half of the time, so that most things are allowed.
      const actor = [...accounts, webhook][one] ?? world.olive;
      const own = viewers[accounts.indexOf(actor)]?.queue.state ?? {};
      whole = viewers[0]?.queue.state ?? {};
      const [name = '', step] = STEPS[act] ?? [];
      const things = await thingsOf(world.olive, whole);
      const picks = new Picks(seed, { things, people: [...accounts, webhook], own, nowMs: world.clock.nowMs() });
      const request = step?.(picks) ?? ['POST', '/'];
      const { status, body } = await actor.request(...request);
      expect(status, `${name}: ${JSON.stringify([request, body])}`).toBeLessThan(500);
      if (status !== 200) continue;
      lately = [...lately.slice(-9), `"${name}" by user ${actor.userId}: ${JSON.stringify(request)}`];
      done.add(name);
      await letTimePass(picks.below(20) === 0 ? MINUTE_MS : 0);
      await assertFresh(world, lately.join(', '));
      await reactivateAll();
      // Not everybody each time: that takes most of the time, and events of several changes are none the worse.
      const checks = viewers.map((viewer, index) => {
        if (index === 0) return () => check(viewer, viewer.view);
        if (picks.below(3) > 0) return () => Promise.resolve(viewer);
        const view = picks.below(3) === 0 ? someView(picks) : viewer.view;
        return () => check(viewer, view);
      });
      viewers = await Promise.all(checks.map((one) => one()));
    }
  });
});

async function wasMoved(account: Client, id: number): Promise<boolean> {
  const { message } = await account.get(`/messages/${id}`);
  return message.last_moved_timestamp !== undefined;
}

/** Whoever gets another role registers again: what administrators see of others has no events. */
const isOwnRole = ({ type, person }: Body, { userId }: Client) =>
  type === 'realm_user' && person.user_id === userId && person.role !== undefined;
