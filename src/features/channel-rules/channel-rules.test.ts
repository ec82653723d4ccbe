import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BotServer, startBotServer } from '../../../test/support/bot-server.ts';
import type { Client, Parameters } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('channel rules on %s', (database) => {
  let world: World;
  let server: BotServer;
  let made = 0;
  beforeAll(async () => {
    server = await startBotServer();
    world = await openWorld(database, { environment: { ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8' } });
    world.server.context.jobs.start(world.server.context);
  });
  afterEach(() => server.reset());
  afterAll(async () => {
    await world.close();
    await server.close();
  });

  const idle = () => world.server.context.jobs.idle();
  /** A channel that its owner administers, with further subscribers. */
  async function channel(owner: Client, others: readonly Client[] = [], values: Parameters = {}) {
    const name = `quay ${++made}`;
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [owner, ...others].map((one) => one.userId),
      ...values,
    });
    const { stream_id } = await owner.get('/get_stream_id', { stream: name });
    await idle();
    return { id: Number(stream_id), name, rules: `/streams/${stream_id}/rules` };
  }
  async function bot(owner: Client, values: Parameters = {}): Promise<number> {
    const { user_id } = await owner.post('/bots', {
      full_name: `Crane ${++made}`,
      short_name: `crane${made}`,
      bot_type: 3,
      payload_url: JSON.stringify(server.url),
      ...values,
    });
    return user_id;
  }
  const post = async (sender: Client, to: string, content: string) => {
    const { id } = await sender.post('/messages', { type: 'channel', to, topic: 'cargo', content });
    await idle();
    return Number(id);
  };

  it('call the bot whose rule a message matches, which answers where it stands (protocol/bots#channel-rules)', async () => {
    const { max, mia } = world;
    const [quay, other, crane] = [await channel(max, [mia]), await channel(max), await bot(max)];
    const { channel_rule: words } = await max.post(quay.rules, { bot_id: crane, words: ['load', 'unload'] });
    const { channel_rule: pattern } = await max.post(quay.rules, { bot_id: crane, pattern: '(?i)pier [0-9]+' });
    const queue = await max.register({ event_types: ['message'] });
    server.answer({ content: 'Unload: seen' });
    await post(mia, quay.name, 'nothing of it');
    await post(max, other.name, 'load it at pier 7');
    expect(server.calls).toEqual([]);
    const id = await post(mia, quay.name, 'Load it at Pier 7');
    expect(server.calls.map(({ body }) => [body['trigger'], body['rule_id'], body['message'].id])).toEqual(
      expect.arrayContaining([
        ['rule', words.id, id],
        ['rule', pattern.id, id],
      ]),
    );
    // What the bot answered matches a rule itself, and calls nobody.
    expect(server.calls).toHaveLength(2);
    const events = await queue.events();
    expect(events.map(({ message }) => [message['sender_id'], message['content']])).toEqual([
      [mia.userId, 'nothing of it'],
      [max.userId, 'load it at pier 7'],
      [mia.userId, 'Load it at Pier 7'],
      [crane, 'Unload: seen'],
      [crane, 'Unload: seen'],
    ]);
    await max.delete(`${quay.rules}/${pattern.id}`);
    await post(mia, quay.name, 'pier 7');
    expect(server.calls).toHaveLength(2);
  });

  it('are seen by who reads the channel, and its subscribers alone hear of changes', async () => {
    const { max, mia, mona, gus } = world;
    const [quay, crane] = [await channel(max, [mia]), await bot(max)];
    const listen = (client: Client) => client.register({ event_types: ['channel_rule', 'message'] });
    const [own, subscriber, stranger] = [await listen(max), await listen(mia), await listen(mona)];
    const { channel_rule } = await max.post(quay.rules, { bot_id: crane, words: [' load '] });
    const expected = {
      id: channel_rule.id,
      stream_id: quay.id,
      bot_id: crane,
      words: ['load'],
      pattern: null,
      creator_id: max.userId,
      date_created: expect.any(Number),
    };
    expect(channel_rule).toEqual(expected);
    expect((await mona.get(quay.rules))['channel_rules']).toEqual([expected]);
    expect(await gus.refused('GET', quay.rules)).toMatchObject({ msg: 'Invalid channel ID' });
    await max.delete(`${quay.rules}/${channel_rule.id}`);
    const changes = [
      { type: 'channel_rule', op: 'add', channel_rule: expected },
      { type: 'channel_rule', op: 'remove', stream_id: quay.id, channel_rule_id: channel_rule.id },
    ];
    expect(await own.events()).toMatchObject(changes);
    expect(await subscriber.events()).toMatchObject(changes);
    await max.post('/messages', { type: 'direct', to: [mona.userId], content: 'over' });
    expect((await stranger.events()).map(({ type }) => type)).toEqual(['message']);
  });

  it('are made by who administers and reads the channel, with a bot of theirs', async () => {
    const { olive, max, mia, gus } = world;
    const [quay, cabin] = [await channel(max, [mia, gus]), await channel(max, [mia], { invite_only: true })];
    const [crane, foreign] = [await bot(max), await bot(mia)];
    const plain = await bot(max, { bot_type: 1 });
    const refused = async (client: Client, fields: Parameters, path = quay.rules) =>
      (await client.refused('POST', path, fields)).msg;
    const good = { bot_id: crane, words: ['load'] };
    expect(await refused(gus, good)).toBe('Not allowed for guest users');
    expect(await refused(mia, { ...good, bot_id: foreign })).toBe('Insufficient permission');
    expect(await refused(max, { ...good, bot_id: foreign })).toBe('Insufficient permission');
    expect(await refused(max, { ...good, bot_id: 99_999 })).toBe('No such bot');
    expect(await refused(max, { ...good, bot_id: plain })).toBe('Not an outgoing webhook bot');
    expect(await refused(max, { bot_id: crane })).toBe('A rule has either words or a pattern.');
    expect(await refused(max, { ...good, pattern: 'x' })).toBe('A rule has either words or a pattern.');
    expect(await refused(max, { bot_id: crane, pattern: '(' })).toMatch(/^Bad regular expression: /);
    expect(await refused(max, { bot_id: crane, pattern: '(?=x)' })).toMatch(/^Bad regular expression: /);
    expect(await refused(max, { bot_id: crane, pattern: '(a{30}){30}' })).toMatch(/^Bad regular expression: /);
    expect(await refused(max, good, '/streams/99999/rules')).toBe('Invalid channel ID');
    // Administrators administer private channels of others, but do not read them.
    expect(await refused(olive, good, cabin.rules)).toBe('Insufficient permission');
    const { channel_rule } = await max.post(cabin.rules, good);
    expect((await olive.get(cabin.rules))['channel_rules']).toHaveLength(1);
    expect(await mia.refused('DELETE', `${cabin.rules}/${channel_rule.id}`)).toMatchObject({
      msg: 'Insufficient permission',
    });
    expect(await max.refused('DELETE', `${quay.rules}/${channel_rule.id}`)).toMatchObject({
      status: 404,
      msg: 'Rule does not exist.',
    });
    await olive.delete(`${cabin.rules}/${channel_rule.id}`);
    expect((await olive.post(quay.rules, { bot_id: foreign, words: ['x'] }))['channel_rule']).toMatchObject({
      bot_id: foreign,
    });
  });

  it('are at most ten of a channel, also when many come at once', async () => {
    const { max } = world;
    const [quay, crane] = [await channel(max), await bot(max)];
    const add = () => max.request('POST', quay.rules, { bot_id: crane, words: ['load'] });
    const replies = await Promise.all(Array.from({ length: 14 }, add));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect((await max.get(quay.rules))['channel_rules']).toHaveLength(10);
    expect(await max.refused('POST', quay.rules, { bot_id: crane, words: ['load'] })).toMatchObject({
      msg: 'A channel can have at most 10 rules.',
    });
  });

  it('call nobody for a message that was moved away or deleted, or by a bot that is no more', async () => {
    const before = world;
    try {
      // A server whose jobs wait.
      world = await openWorld(database, { environment: { ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8' } });
      const { max, olive } = world;
      const [quay, other] = [await channel(max, [olive]), await channel(max, [olive])];
      const [crane, gone] = [await bot(max), await bot(max)];
      await max.post(quay.rules, { bot_id: crane, words: ['load'] });
      await max.post(quay.rules, { bot_id: gone, words: ['load'] });
      await max.delete(`/bots/${gone}`);
      const send = async () =>
        (await max.post('/messages', { type: 'channel', to: quay.name, topic: 'cargo', content: 'load' }))['id'];
      const [moved, deleted, stays] = [await send(), await send(), await send()];
      await olive.patch(`/messages/${moved}`, { stream_id: other.id, propagate_mode: 'change_one' });
      await olive.delete(`/messages/${deleted}`);
      world.server.context.jobs.start(world.server.context);
      await idle();
      expect(server.calls.map(({ body }) => [body['message'].id, body['trigger']])).toEqual([[stays, 'rule']]);
    } finally {
      await world.close();
      world = before;
    }
  });

  it('hand nothing on while who made them does not read the channel any more', async () => {
    const { max, mia } = world;
    const [cabin, crane] = [await channel(max, [mia], { invite_only: true }), await bot(max)];
    await max.post(cabin.rules, { bot_id: crane, words: ['load'] });
    const before = await post(mia, cabin.name, 'load');
    expect(server.calls.map(({ body }) => body['message'].id)).toEqual([before]);
    await max.delete('/users/me/subscriptions', { subscriptions: [cabin.name] });
    await post(mia, cabin.name, 'load what nobody outside may know');
    expect(server.calls).toHaveLength(1);
    await mia.post('/users/me/subscriptions', { subscriptions: [{ name: cabin.name }], principals: [max.userId] });
    const after = await post(mia, cabin.name, 'load');
    expect(server.calls.map(({ body }) => body['message'].id)).toEqual([before, after]);
  });

  it('do not reach closed networks', async () => {
    const { max } = world;
    const quay = await channel(max);
    const crane = await bot(max, { payload_url: '"http://169.254.169.254/latest"' });
    await max.post(quay.rules, { bot_id: crane, words: ['load'] });
    const id = await post(max, quay.name, 'load');
    const { messages } = await max.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(messages[0].content).toContain('address is not on the public Internet');
    expect(messages[0].content).toContain(String(id));
  });
});
