import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteMessages } from '#features/message-edits';
import { findMessages } from '#features/messages';
import { insertUser } from '#features/users';
import { lockLog } from '#kernel/events';
import { asId, type MessageId } from '#kernel/ids';
import { databases } from '../support/databases.ts';
import { leastStatements } from '../support/statements.ts';
import { openWorld, type World } from '../support/world.ts';

const MANY = 500;
/** Statements of work behind a request that a count may hear; a loop would add far more. */
const BEHIND = 3;

/** The number of statements of a request must not follow the data: few and many of everything cost as many. */
describe.each(databases)('the number of statements on %s', (database) => {
  let world: World;
  const crowd: number[] = [];
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, realm } = world;
    await world.server.context.store.in(realm).write(async (tx) => {
      for (let n = 0; n < MANY; n++) {
        const row = { realm_id: realm.id, email: `crowd-${n}@roost.test`, full_name: `Crowd ${n}`, role: 400 } as const;
        crowd.push((await insertUser(tx, { ...row, avatar_source: 'J' })).id);
      }
    });
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'few' }],
      principals: [max.userId, mia.userId],
    });
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'many' }],
      principals: [max.userId, mia.userId, ...crowd],
    });
    for (const stream of ['few', 'many']) ids[stream] = (await max.get('/get_stream_id', { stream }))['stream_id'];
  });
  afterAll(() => world.close());

  const send = async (to: string, topic: string, content = 'hoo') =>
    (await world.max.post('/messages', { type: 'channel', to, topic, content }))['id'] as number;
  const sendMany = async (to: string, topic: string, count: number) => {
    const sent: number[] = [];
    for (let n = 0; n < count; n++) sent.push(await send(to, topic));
    return sent;
  };
  const direct = (count: number) =>
    world.max.post('/messages', { type: 'direct', to: [world.mia.userId, ...crowd.slice(0, count)], content: 'psst' });
  const named = (count: number) => Array.from({ length: count }, (_, n) => `@**Crowd ${n}|${crowd[n]}**`).join(' ');
  /** The counts of the same request with little and with much, the much hardly above the little. */
  const expectSame = (little: number, much: number, most: number) => {
    expect(little).toBeGreaterThan(0);
    expect(much).toBeLessThanOrEqual(little + BEHIND);
    expect(much).toBeLessThanOrEqual(most);
  };
  const pair = async (
    few: () => Promise<unknown>,
    many: () => Promise<unknown>,
    most: number,
    prepare: readonly [() => Promise<unknown>, () => Promise<unknown>] | [] = [],
  ) => expectSame(await leastStatements(world, few, prepare[0]), await leastStatements(world, many, prepare[1]), most);

  it('sends to a channel alike for 2 and for 500 subscribers', async () => {
    await send('few', 'warm');
    await pair(
      () => send('few', 'a'),
      () => send('many', 'a'),
      40,
    );
    await world.olive.patch('/realm', { can_mention_many_users_group: { new: await everyone() } });
    await pair(
      () => send('few', 'a', '@**all**'),
      () => send('many', 'a', '@**all**'),
      45,
    );
  });

  it('sends directly alike to 2 and to 100 people', async () => {
    await direct(1);
    await direct(100);
    await pair(
      () => direct(1),
      () => direct(100),
      40,
    );
  });

  it('sends alike with 1 and with 100 mentions', async () => {
    await pair(
      () => send('many', 'm', named(1)),
      () => send('many', 'm', named(100)),
      45,
    );
  });

  it('sends many at once with few statements of their own', async () => {
    await send('few', 'rush');
    const rush = (count: number) => () => Promise.all(Array.from({ length: count }, () => send('few', 'rush')));
    const [one, many] = [await leastStatements(world, rush(1)), await leastStatements(world, rush(40))];
    // Each of them: who asks (as long as the database must be asked for that), the message, whether it begins its topic,
    // and a share of what a commit has.
    const each = database === 'postgres' ? 7 : 4;
    expect(many).toBeLessThanOrEqual(40 * each + 3 * one);
    expect(one).toBeLessThanOrEqual(database === 'postgres' ? 20 : 15);
  });

  it('fetches alike 5 and 60 messages', async () => {
    await sendMany('few', 'page', 60);
    const fetch = (num_before: number) =>
      world.mia.get('/messages', {
        anchor: 'newest',
        num_before,
        narrow: [
          ['channel', 'few'],
          ['topic', 'page'],
        ],
      });
    await pair(
      () => fetch(5),
      () => fetch(60),
      25,
    );
  });

  it('marks alike 2 and 60 messages', async () => {
    const sent = await sendMany('few', 'marks', 60);
    const mark = (messages: readonly number[], op: string, flag: string) =>
      world.mia.post('/messages/flags', { messages, op, flag });
    for (const flag of ['read', 'starred']) {
      const unmark = (count: number) => () => mark(sent.slice(0, count), 'remove', flag);
      await pair(
        () => mark(sent.slice(0, 2), 'add', flag),
        () => mark(sent, 'add', flag),
        25,
        [unmark(2), unmark(60)],
      );
    }
    const unmarked = (count: number) => () => mark(sent.slice(0, count), 'remove', 'read');
    const markTopic = () => world.mia.post('/mark_topic_as_read', { stream_id: ids['few'] ?? 0, topic_name: 'marks' });
    await pair(markTopic, markTopic, 30, [unmarked(2), unmarked(60)]);
  });

  it('unsubscribes alike 2 and 200 people who have not read everything', async () => {
    const { olive } = world;
    const leave = (count: number) =>
      olive.delete('/users/me/subscriptions', { subscriptions: ['many'], principals: crowd.slice(0, count) });
    const back = (count: number) => async () => {
      await olive.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'many' }],
        principals: crowd.slice(0, count),
        send_new_subscription_messages: false,
      });
      await send('many', 'left');
    };
    await pair(
      () => leave(2),
      () => leave(200),
      40,
      [back(2), back(200)],
    );
    await back(200)();
  });

  it('counts alike the subscribers of 2 and of 20 channels, of which each loses another number', async () => {
    const { olive } = world;
    const names = Array.from({ length: 20 }, (_, n) => `loses ${n + 1}`);
    const join = (count: number) => async () => {
      for (const [n, name] of names.slice(0, count).entries())
        await olive.post('/users/me/subscriptions', {
          subscriptions: [{ name }],
          principals: crowd.slice(0, n + 1),
          send_new_subscription_messages: false,
        });
    };
    const leave = (count: number) => () =>
      olive.delete('/users/me/subscriptions', { subscriptions: names.slice(0, count), principals: crowd.slice(0, 20) });
    const counts = async (): Promise<readonly number[]> => {
      const { streams } = await olive.get('/streams', { include_all: true });
      const byName = new Map<string, number>(
        streams.map((one: { name: string; subscriber_count: number }) => [one.name, one.subscriber_count]),
      );
      return names.map((name) => byName.get(name) ?? -1);
    };
    await join(20)();
    expect(await counts()).toEqual(names.map((_, n) => n + 1));
    await leave(20)();
    expect(await counts()).toEqual(names.map(() => 0));
    await pair(leave(2), leave(20), 40, [join(2), join(20)]);
  });

  it('edits alike where 2 and where 500 are subscribed', async () => {
    const [few, many] = [await send('few', 'edits'), await send('many', 'edits')];
    let turn = 0;
    const edit = (id: number) => () => world.max.patch(`/messages/${id}`, { content: `again ${turn++}` });
    await pair(edit(few), edit(many), 50);
  });

  it('moves alike topics of 2 and of 60 messages', async () => {
    const [short, long] = [await sendMany('few', 'short', 2), await sendMany('few', 'long', 60)];
    let turn = 0;
    const move = (id: number | undefined) => () =>
      world.max.patch(`/messages/${id}`, {
        topic: `moved ${turn++}`,
        propagate_mode: 'change_all',
        send_notification_to_new_thread: false,
      });
    await pair(move(short[0]), move(long[0]), 60);
  });

  it('deletes alike messages of 2 and of 40 conversations at once', async () => {
    const { context } = world.server;
    let sent: MessageId[] = [];
    // Half of them directly, each to somebody else, and half to topics.
    const prepare = (count: number) => async () => {
      sent = [];
      for (let n = 0; n < count; n += 2) {
        sent.push(asId(await send('few', `gone ${n}`)));
        const { id } = await world.max.post('/messages', { type: 'direct', to: [crowd[n]], content: 'psst' });
        sent.push(asId(id));
      }
    };
    const remove = () =>
      context.store.in(world.realm).write(async (tx) => {
        await lockLog(tx);
        const rows = await findMessages(tx, sent);
        expect(rows).toHaveLength(sent.length);
        await deleteMessages(context, tx, rows);
      });
    const client_capabilities = { notification_settings_null: true, bulk_message_deletion: true };
    const queue = await world.mia.register({ client_capabilities });
    await prepare(40)();
    await remove();
    const deleted = (await queue.events()).filter(({ type }) => type === 'delete_message');
    expect(deleted.map(({ topic }) => topic)).toEqual(Array.from({ length: 20 }, (_, n) => `gone ${2 * n}`));
    await pair(remove, remove, 40, [prepare(2), prepare(40)]);
  });

  it('tells alike that 2 and that 20 channels have another first message', async () => {
    const { mia, max, realm } = world;
    const { context } = world.server;
    const names = Array.from({ length: 20 }, (_, n) => `begins ${n}`);
    for (const [n, name] of names.entries())
      await mia.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [mia.userId, max.userId],
        invite_only: n % 2 === 0,
      });
    const post = async (count: number) => {
      for (const name of names.slice(0, count)) await send(name, 'begins');
    };
    const firsts = async (): Promise<ReadonlyMap<string, MessageId>> => {
      const { streams } = await max.get('/streams');
      return new Map(
        streams.map((one: { name: string; first_message_id: number }) => [one.name, one.first_message_id]),
      );
    };
    let gone: readonly MessageId[] = [];
    const prepare = (count: number) => async () => {
      await post(count);
      const known = await firsts();
      gone = names.slice(0, count).flatMap((name) => known.get(name) ?? []);
    };
    const remove = () =>
      context.store.in(realm).write(async (tx) => {
        await lockLog(tx);
        const rows = await findMessages(tx, gone);
        await deleteMessages(context, tx, rows);
      });
    await post(20);
    await prepare(20)();
    const queue = await mia.register();
    await remove();
    const told = (await queue.events()).filter(({ property }) => property === 'first_message_id');
    const now = await firsts();
    expect(told).toHaveLength(names.length);
    for (const { name, value } of told) expect([value, gone.includes(value)]).toEqual([now.get(name), false]);
    await pair(remove, remove, 40, [prepare(2), prepare(20)]);
  });

  const everyone = async () =>
    (await world.olive.get('/user_groups'))['user_groups'].find(
      (group: { name: string }) => group.name === 'role:members',
    ).id as number;
});
