import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const CHOICE = { type: 'multiple_choice', short_name: 'A', long_name: 'Anhinga', reply: 'answer A' };
const FORM = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Which bird?', choices: [CHOICE] } };

describe.each(databases)('parts of widgets on %s', (database) => {
  let world: World;
  let poll: number;
  let todo: number;
  let form: number;
  let plain: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    const principals = [max.userId, mia.userId];
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }], principals });
    const send = { type: 'channel', to: 'birds', topic: 'owl', content: 'lunch?' };
    poll = (await max.post('/messages', { ...send, content: '/poll lunch?\nnow' }))['id'];
    todo = (await max.post('/messages', { ...send, content: '/todo chores\nsweep' }))['id'];
    form = (await max.post('/messages', { ...send, widget_content: JSON.stringify(FORM) }))['id'];
    plain = (await max.post('/messages', send))['id'];
  });
  afterAll(() => world.close());

  const add = (message_id: number, data: unknown) => ({
    message_id,
    msg_type: 'widget',
    content: typeof data === 'string' ? data : JSON.stringify(data),
  });

  it('tells those who have the message of a vote, and keeps it (protocol/reactions#submessages)', async () => {
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
    ['[]', 'Unknown type for poll data: '],
    ['3', 'Unknown type for poll data: '],
    ['null', 'Unknown type for poll data: '],
    [{ type: ['vote'] }, 'Unknown type for poll data: '],
    [{ type: 'vote', vote: 1 }, 'poll data["key"] field is missing: Field required'],
    [{ type: 'vote', key: 'now', vote: 1 }, 'poll data["key"] has invalid format'],
    [{ type: 'vote', key: 'canned,0,0', vote: 1 }, 'poll data["key"] has invalid format'],
    [{ type: 'vote', key: 'canned,99999999999999999999', vote: 1 }, 'poll data["key"] has invalid format'],
    [{ type: 'vote', key: 3, vote: 1 }, 'poll data["key"] is not a string'],
    [{ type: 'new_option', option: ['x'], idx: 1 }, 'poll data["option"] is not a string'],
    [{ type: 'new_option', option: 'x', idx: 1.5 }, 'poll data["idx"] is not an integer'],
    [{ type: 'question', question: null }, 'poll data["question"] is not a string'],
  ])('refuses %j of a poll', async (data, msg) => {
    expect((await world.mia.refused('POST', '/submessage', add(poll, data))).msg).toBe(msg);
  });

  it.each([
    [{ type: 'vote', key: 'canned,0', vote: 1 }, 'Unknown type for todo data: vote'],
    [{ type: 'strike', key: 'sweep' }, 'todo data["key"] has invalid format'],
    [{ type: 'new_task', key: 1, task: 'dust', desc: '' }, 'todo data["completed"] field is missing: Field required'],
    [{ type: 'new_task', key: 1, task: 7, desc: '', completed: false }, 'todo data["task"] is not a string'],
    [{ type: 'new_task_list_title', title: 'x' }, "You can't edit the task list title unless you are the author."],
  ])('refuses %j of a to-do list', async (data, msg) => {
    expect((await world.mia.refused('POST', '/submessage', add(todo, data))).msg).toBe(msg);
  });

  it('takes what people do with polls and to-do lists', async () => {
    const { mia } = world;
    for (const data of [
      { type: 'vote', key: 'canned,0', vote: -1 },
      { type: 'new_option', option: 'later', idx: 1 },
      { type: 'vote', key: `${mia.userId},1`, vote: 1 },
    ])
      await mia.post('/submessage', add(poll, data));
    for (const data of [
      { type: 'new_task', key: 2, task: 'dust', desc: '', completed: false },
      { type: 'strike', key: '0,canned' },
      { type: 'strike', key: `2,${mia.userId}` },
    ])
      await mia.post('/submessage', add(todo, data));
  });

  it('adds nothing to a form, whose buttons send messages (protocol/reactions#submessages)', async () => {
    const refused = async (data: unknown) => (await world.mia.refused('POST', '/submessage', add(form, data))).msg;
    expect(await refused({ type: 'vote', key: 'canned,0', vote: 1 })).toBe('Unknown type for zform data: vote');
    expect(await refused('[]')).toBe('Unknown type for zform data: ');
  });

  it('lets the author change the question', async () => {
    await world.max.post('/submessage', add(poll, { type: 'question', question: 'tea?' }));
  });

  it('takes the first part of a message from its author only, and only from readers', async () => {
    const { max, mia, gus } = world;
    expect((await mia.refused('POST', '/submessage', add(plain, {}))).msg).toBe(
      'You cannot attach a submessage to this message.',
    );
    const refused = async (data: unknown) => (await max.refused('POST', '/submessage', add(plain, data))).msg;
    expect(await refused('{')).toBe('Invalid json for submessage');
    expect(await refused('[]')).toBe('Widgets: widget_content is not a dict');
    expect(await refused({})).toBe('Widgets: widget_type is not in widget_content');
    expect(await refused({ widget_type: 'poll', extra_data: {} })).toBe('Widgets: unknown widget type: poll');
    await max.post('/submessage', add(plain, { ...FORM, more: [[[]]] }));
    const { message } = await mia.get(`/messages/${plain}`);
    expect(message.submessages).toMatchObject([{ content: JSON.stringify(FORM) }]);
    expect((await gus.refused('POST', '/submessage', add(plain, {}))).msg).toBe('Invalid message(s)');
  });
});
