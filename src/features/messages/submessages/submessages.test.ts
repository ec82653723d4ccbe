import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

describe.each(databases)('parts of widgets on %s', (database) => {
  let world: World;
  let poll: number;
  let plain: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    const principals = [max.userId, mia.userId];
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }], principals });
    const send = { type: 'channel', to: 'birds', topic: 'owl', content: 'lunch?' };
    const widget = { widget_type: 'poll', extra_data: { question: 'lunch?', options: ['now'] } };
    poll = (await max.post('/messages', { ...send, widget_content: JSON.stringify(widget) }))['id'];
    plain = (await max.post('/messages', send))['id'];
  });
  afterAll(() => world.close());

  const add = (message_id: number, data: unknown) => ({
    message_id,
    msg_type: 'widget',
    content: typeof data === 'string' ? data : JSON.stringify(data),
  });

  it('tells those who have the message of a vote, and keeps it (contract 2.3.8)', async () => {
    const { max, mia, gus } = world;
    const queues = [await max.register(), await gus.register()] as const;
    const vote = add(poll, { type: 'vote', key: 'canned,0', vote: 1 });
    await mia.post('/submessage', vote);
    const [event, ...rest] = await queues[0].events();
    expect(event).toMatchObject({ type: 'submessage', ...vote, sender_id: mia.userId });
    expect(rest).toEqual([]);
    expect(await queues[1].events()).toEqual([]);
    const { messages } = await mia.get('/messages', { anchor: String(poll) });
    expect(messages[0].submessages[1]).toEqual({
      id: event?.['submessage_id'],
      message_id: poll,
      sender_id: mia.userId,
      msg_type: 'widget',
      content: vote.content,
    });
  });

  it.each([
    ['{', 'Invalid json for submessage'],
    [{ type: 'dance' }, 'Unknown type for poll data: dance'],
    [{ type: 'vote', key: 'canned,0', vote: 2 }, 'Invalid poll data["vote"]'],
    [{ type: 'vote', key: 'canned,0', vote: 1, more: 1 }, 'Unexpected arguments: more'],
    [{ type: 'new_option', option: 'x', idx: 1001 }, 'poll data["idx"] is too large'],
    [{ type: 'question', question: 'mine?' }, "You can't edit a question unless you are the author."],
  ])('refuses %j', async (data, msg) => {
    expect((await world.mia.refused('POST', '/submessage', add(poll, data))).msg).toBe(msg);
  });

  it('lets the author change the question', async () => {
    await world.max.post('/submessage', add(poll, { type: 'question', question: 'tea?' }));
  });

  it('takes the first part of a message from its author only, and only from readers', async () => {
    const { max, mia, gus } = world;
    expect((await mia.refused('POST', '/submessage', add(plain, {}))).msg).toBe(
      'You cannot attach a submessage to this message.',
    );
    await max.post('/submessage', add(plain, {}));
    expect((await gus.refused('POST', '/submessage', add(plain, {}))).msg).toBe('Invalid message(s)');
  });
});
