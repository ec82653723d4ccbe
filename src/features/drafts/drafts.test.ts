import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('drafts on %s', (database) => {
  let world: World;
  let birds: number;
  let secret: number;
  beforeAll(async () => {
    world = await openWorld(database);
    birds = await channel('birds');
    secret = await channel('secret', { invite_only: true });
  });
  afterAll(() => world.close());

  const channel = async (name: string, more: object = {}): Promise<number> => {
    await world.adam.post('/users/me/subscriptions', { subscriptions: [{ name }], ...more });
    return (await world.adam.get('/get_stream_id', { stream: name }))['stream_id'];
  };
  const draft = (values: object = {}) => ({ type: '', to: [], topic: '', content: 'text', ...values });
  const add = async (who: Client, ...drafts: object[]): Promise<number[]> =>
    (await who.post('/drafts', { drafts }))['ids'];
  const list = async (who: Client) => (await who.get('/drafts'))['drafts'];
  const registered = async (who: Client) => (await who.register({ fetch_event_types: ['drafts'] })).state['drafts'];

  it('are kept, changed, listed and thrown away by their author, who alone hears of it (protocol/saved#drafts)', async () => {
    const { max, mia, clock } = world;
    const [own, others] = await expectSync([max, mia], async () => {
      const now = clock.now();
      const [first, second, third] = await add(
        max,
        draft({ content: '\n\n  indented \n', timestamp: now + 10.9 }),
        draft({ type: 'stream', to: [birds], topic: ' nests ', timestamp: null }),
        draft({ type: 'private', to: [mia.userId, max.userId, mia.userId], topic: 'dropped', timestamp: 5 }),
      );
      expect(await list(max)).toEqual([
        { id: third, type: 'private', to: [mia.userId, max.userId], topic: '', content: 'text', timestamp: 5 },
        { id: second, type: 'stream', to: [birds], topic: ' nests ', content: 'text', timestamp: now },
        { id: first, type: '', to: [], topic: '', content: '  indented', timestamp: now + 10 },
      ]);
      expect((await registered(max)).map((one: { id: number }) => one.id)).toEqual([first, second, third]);
      const change = draft({ type: 'stream', to: [birds], topic: 'x', content: 'y', timestamp: now + 20 });
      await max.patch(`/drafts/${third}`, { draft: change });
      await max.patch(`/drafts/${third}`, { draft: change });
      expect((await list(max)).at(-1)).toEqual({ id: third, ...change });
      await max.delete(`/drafts/${first}`);
      expect(await add(max)).toEqual([]);
    });
    expect(own).toMatchObject([
      { type: 'drafts', op: 'add', drafts: [{ content: '  indented' }, { topic: ' nests ' }, { type: 'private' }] },
      { type: 'drafts', op: 'update', draft: { content: 'y' } },
      { type: 'drafts', op: 'remove' },
    ]);
    expect(others).toEqual([]);
    expect(await max.get('/drafts')).toMatchObject({ count: 2 });
    expect(await list(mia)).toEqual([]);
  });

  it('are cut like messages', async () => {
    const { mona } = world;
    await add(mona, draft({ type: 'stream', to: [birds], topic: 't'.repeat(70), content: 'x'.repeat(10_001) }));
    const [kept] = await list(mona);
    expect(kept.topic).toBe(`${'t'.repeat(57)}...`);
    expect(kept.content).toHaveLength(10_000);
    expect(kept.content).toMatch(/\n\[message truncated\]$/);
  });

  it('are refused whole when one of them is wrong', async () => {
    const { max, gus } = world;
    const cases: readonly [object, string][] = [
      [draft({ content: ' \n ' }), 'drafts[1]["content"] cannot be blank'],
      [draft({ content: 'a\u0000b' }), 'Invalid drafts[1]["content"]: Value error, null bytes are not allowed'],
      [draft({ type: 'channel' }), 'Invalid drafts[1]["type"]'],
      [{ to: [], topic: '', content: 'x' }, 'drafts[1]["type"] field is missing: Field required'],
      [draft({ to: 3 }), 'drafts[1]["to"] is not a list'],
      [draft({ more: 1 }), 'Argument "more" at drafts[1] is unexpected'],
      [{ type: '', topic: '', content: 'x' }, 'drafts[1]["to"] field is missing: Field required'],
      [draft({ timestamp: -0.5 }), 'Timestamp must not be negative.'],
      [draft({ timestamp: 1e300 }), 'drafts[1]["timestamp"] is too large'],
      [draft({ type: 'stream', to: [birds], topic: 'a\u0000b' }), 'Topic must not contain null bytes'],
      [draft({ type: 'stream' }), 'Must specify exactly 1 channel ID for channel messages'],
      [draft({ type: 'stream', to: [birds, secret] }), 'Must specify exactly 1 channel ID for channel messages'],
      [draft({ type: 'stream', to: [secret] }), 'Invalid channel ID'],
      [draft({ type: 'stream', to: [999_999] }), 'Invalid channel ID'],
      [draft({ type: 'private', to: [max.userId, 999_999] }), 'Invalid user ID 999999'],
    ];
    const before = await list(max);
    for (const [wrong, msg] of cases)
      expect((await max.refused('POST', '/drafts', { drafts: [draft(), wrong] })).msg).toBe(msg);
    expect(await list(max)).toEqual(before);
    const [id] = await add(max, draft());
    const refused = async (values: object) =>
      (await max.refused('PATCH', `/drafts/${id}`, { draft: draft(values) })).msg;
    expect(await refused({ content: '' })).toBe('draft["content"] cannot be blank');
    expect(await refused({ type: 'stream', to: [secret] })).toBe('Invalid channel ID');
    expect((await gus.refused('POST', '/drafts', { drafts: [draft({ type: 'stream', to: [birds] })] })).msg).toBe(
      'Invalid channel ID',
    );
    expect((await world.spectator.request('GET', '/drafts')).status).toBe(401);
  });

  it('of somebody else look like ones that do not exist', async () => {
    const [id] = await add(world.max, draft({ content: 'mine' }));
    for (const unknown of [id, 999_999]) {
      const expected = { status: 404, code: 'BAD_REQUEST', msg: 'Draft does not exist' };
      expect(await world.mia.refused('PATCH', `/drafts/${unknown}`, { draft: draft() })).toMatchObject(expected);
      expect(await world.mia.refused('DELETE', `/drafts/${unknown}`)).toMatchObject(expected);
    }
    expect(await list(world.max)).toContainEqual(expect.objectContaining({ content: 'mine' }));
  });

  it('are gone, and refused, once their author turns them off (protocol/saved#drafts)', async () => {
    const { olive, mia } = world;
    const [id] = await add(olive, draft());
    await add(mia, draft());
    const switched = (value: boolean) => olive.patch('/settings', { enable_drafts_synchronization: value });
    const [own] = await expectSync([olive], () => switched(false));
    expect(own).toMatchObject([{ type: 'user_settings', property: 'enable_drafts_synchronization', value: false }]);
    const off = 'User has disabled synchronizing drafts.';
    expect((await olive.refused('GET', '/drafts')).msg).toBe(off);
    expect((await olive.refused('POST', '/drafts', { drafts: [] })).msg).toBe(off);
    expect((await olive.refused('PATCH', `/drafts/${id}`, { draft: draft() })).msg).toBe(off);
    expect((await olive.refused('DELETE', `/drafts/${id}`)).msg).toBe(off);
    await switched(true);
    expect(await list(olive)).toEqual([]);
    expect(await list(mia)).toHaveLength(1);
  });

  it('are thrown away once when thrown away twice at once', async () => {
    const { gus } = world;
    const [id] = await add(gus, draft());
    const queue = await gus.register();
    const replies = await Promise.all([1, 2].map(() => gus.request('DELETE', `/drafts/${id}`)));
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect(await queue.events()).toMatchObject([{ type: 'drafts', op: 'remove', draft_id: id }]);
  });
});
