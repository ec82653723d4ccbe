import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const UNKNOWN = 999_999;
const OTHER_CONTENT = { content: 'x', prev_content_sha256: 'ab' };
/** Age at which content may still be changed, but under `SHORT_LIMITS` messages may no longer be moved. */
const SLOW_MS = 300_000;
const SHORT_LIMITS = { move_messages_within_stream_limit_seconds: 60, move_messages_between_streams_limit_seconds: 60 };

const NO_RIGHT = "You don't have permission to edit this message";
const NO_RIGHT_TO_RESOLVE = "You don't have permission to resolve topics in this channel.";
const CONTENT_IS_OLD = 'The time limit for editing this message has passed';
const TOPIC_IS_OLD = "The time limit for editing this message's topic has passed.";
const CHANNEL_IS_OLD = "The time limit for editing this message's channel has passed";
const ALL_IS_OLD = 'The time limit for moving this topic has passed.';
const NAMELESS = 'General chat cannot be marked as resolved';
const NAME_WANTED = 'Sending messages to the general chat is not allowed in this channel.';
const TWO_CHANGES = 'Cannot change message content while changing channel';
const MENTION = "You are not allowed to mention user group 'birders'.";

/** Each request fails two consecutive checks, and gets the error of the first. */
describe.each(databases)('what is wrong twice with an edit on %s', (database) => {
  let world: World;
  let groups: Readonly<Record<string, number>>;
  const channels: Record<string, number> = {};
  beforeAll(async () => {
    world = await openWorld(database);
    const { adam, max, mia, olive } = world;
    const principals = [max.userId, mia.userId];
    for (const name of ['birds', 'named', 'unnamed', 'full']) {
      await adam.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
      channels[name] = (await adam.get('/get_stream_id', { stream: name }))['stream_id'];
    }
    const { state } = await adam.register({ fetch_event_types: ['realm_user_groups'] });
    const all: { name: string; id: number }[] = state['realm_user_groups'];
    groups = Object.fromEntries(all.map(({ name, id }) => [name, id]));
    await olive.patch(`/streams/${channels['named']}`, { topics_policy: 'disable_empty_topic' });
    await olive.patch(`/streams/${channels['unnamed']}`, { topics_policy: 'empty_topic_only' });
    await max.post('/messages', { type: 'channel', to: 'full', topic: 'begun', content: 'hoo' });
    await olive.patch(`/streams/${channels['full']}`, { can_create_topic_group: { new: groups['role:nobody'] } });
    const birders = {
      name: 'birders',
      description: '',
      members: [mia.userId],
      can_mention_group: groups['role:nobody'],
    };
    await olive.post('/user_groups/create', birders);
  });
  afterAll(() => world.close());

  let topics = 0;
  const newTopic = () => `topic ${++topics}`;
  const send = async (to = 'birds', topic = newTopic()) =>
    (await world.max.post('/messages', { type: 'channel', to, topic, content: 'hoo' }))['id'] as number;
  const direct = async () =>
    (await world.max.post('/messages', { type: 'direct', to: [world.mia.userId], content: 'psst' }))['id'] as number;
  const poll = async () => {
    const content = '/poll Which?\nthis';
    const message = { type: 'channel', to: 'birds', topic: newTopic(), content };
    return (await world.max.post('/messages', message))['id'] as number;
  };
  const answer = async (id: number, parameters: Body, who: Client = world.max) =>
    (await who.refused('PATCH', `/messages/${id}`, parameters)).msg;
  const role = (name: string) => ({ new: groups[`role:${name}`] });
  /** Changes settings of the organization while `act` runs, and restores them afterwards. */
  const having = async (settings: Body, act: () => Promise<void>) => {
    const { olive } = world;
    const { state } = await olive.register({ fetch_event_types: ['realm'] });
    const before = (name: string) => {
      const value = state[`realm_${name}`];
      return name.endsWith('_group') ? { new: value } : (value ?? 'unlimited');
    };
    await olive.patch('/realm', settings);
    await act();
    await olive.patch('/realm', Object.fromEntries(Object.keys(settings).map((name) => [name, before(name)])));
  };

  it('is the message, then editing at all, then whose and how old it is (checks 1 to 4)', async () => {
    const { mia } = world;
    const id = await send();
    await having({ allow_message_editing: false }, async () => {
      expect(await answer(UNKNOWN, { content: 'x' })).toBe('Invalid message(s)');
      expect(await answer(id, { content: 'x' }, mia)).toBe('Your organization has turned off message editing');
    });
    world.clock.advance(700_000);
    expect(await answer(id, { content: 'x' }, mia)).toBe(NO_RIGHT);
  });

  it('is age before what does not fit together (checks 4 to 8)', async () => {
    const [id, private_id] = [await send(), await direct()];
    world.clock.advance(700_000);
    expect(await answer(private_id, { content: 'x', topic: 'y' })).toBe(CONTENT_IS_OLD);
    expect(await answer(id, { content: 'x', propagate_mode: 'change_all' })).toBe(CONTENT_IS_OLD);
  });

  it('is the place of a direct message before the name of a topic (checks 7 to 10)', async () => {
    const id = await direct();
    expect(await answer(id, { stream_id: channels['birds'], topic: 'x' })).toBe(
      'Direct messages cannot be moved to channels.',
    );
    for (const topic of ['✔ ', 'a\u0007'])
      expect(await answer(id, { topic })).toBe('Direct messages cannot have topics.');
  });

  it('is how far a change reaches before its content (checks 8 to 13)', async () => {
    const propagate_mode = 'change_all';
    for (const id of [await poll(), await send()])
      expect(await answer(id, { ...OTHER_CONTENT, propagate_mode })).toBe('Invalid propagate_mode without topic edit');
  });

  it('is the name of a topic before content, and content before its rendering (checks 9 to 15)', async () => {
    const [id, widget] = [await send('named'), await poll()];
    const stream_id = channels['unnamed'];
    expect(await answer(id, { topic: '✔', content: 'x', stream_id })).toBe(NAMELESS);
    expect(await answer(id, { topic: 'a\u0007', content: 'x', stream_id })).toContain('Invalid character in topic');
    expect(await answer(widget, { content: 'x', stream_id })).toBe(TWO_CHANGES);
    expect(await answer(widget, OTHER_CONTENT)).toBe('Widgets cannot be edited.');
    const content = 'a\u0000';
    const { code } = await world.max.refused('PATCH', `/messages/${id}`, { ...OTHER_CONTENT, content });
    expect(code).toBe('EXPECTATION_MISMATCH');
    expect(await answer(id, { content, topic: '' })).toBe('Message must not contain null bytes');
  });

  it('is the policy of topics, the right to rename, age, then mentions in the content (checks 15 to 19)', async () => {
    const topic = newTopic();
    const [id, named, unnamed] = [await send('birds', topic), await send('named'), await send('unnamed', '')];
    const [marked, markedNamed] = [await send('birds', '✔ ✔'), await send('named', '✔ ✔')];
    const rights = { can_resolve_topics_group: role('nobody'), can_move_messages_between_topics_group: role('nobody') };
    world.clock.advance(SLOW_MS);
    await having({ ...rights, ...SHORT_LIMITS }, async () => {
      expect(await answer(named, { topic: '' })).toBe(NAME_WANTED);
      expect(await answer(unnamed, { topic })).toBe('Only the general chat topic is allowed in this channel.');
      // Unresolving removes all marks, so a topic that consists of marks would become the unnamed topic.
      expect(await answer(marked, { topic: '' })).toBe(NO_RIGHT_TO_RESOLVE);
      expect(await answer(markedNamed, { topic: '' })).toBe(NAME_WANTED);
      expect(await answer(id, { topic: `✔ ${topic}` })).toBe(NO_RIGHT_TO_RESOLVE);
      expect(await answer(id, { topic: newTopic() })).toBe(NO_RIGHT);
      expect(await answer(id, { topic: newTopic(), content: '@*birders*' })).toBe(NO_RIGHT);
    });
    await having({ ...SHORT_LIMITS }, async () => {
      expect(await answer(id, { topic: newTopic(), content: '@*birders*' })).toBe(TOPIC_IS_OLD);
    });
  });

  it('is mentions in the content before the age of a topic and the right to begin one (checks 19 to 24)', async () => {
    const [old, full] = [await send(), await send('full', 'begun')];
    expect(await answer(full, { topic: newTopic(), content: '@*birders*' })).toBe(MENTION);
    world.clock.advance(SLOW_MS);
    const whole = { topic: newTopic(), propagate_mode: 'change_all' };
    await having({ ...SHORT_LIMITS }, async () => {
      expect(await answer(old, { ...whole, content: '@*birders*' })).toBe(MENTION);
      expect(await answer(old, { ...whole, content: 'hello' })).toBe(ALL_IS_OLD);
    });
  });

  it('is the age of a topic before the right to another channel, and that before the channel (checks 18 to 24)', async () => {
    const id = await send();
    world.clock.advance(SLOW_MS);
    const whole = { propagate_mode: 'change_all' };
    const topic = newTopic();
    await having({ ...SHORT_LIMITS, can_move_messages_between_channels_group: role('nobody') }, async () => {
      expect(await answer(id, { topic, stream_id: UNKNOWN })).toBe(TOPIC_IS_OLD);
      expect(await answer(id, { stream_id: UNKNOWN })).toBe("You don't have permission to move this message");
    });
    await having({ ...SHORT_LIMITS }, async () => {
      for (const more of [{}, whole])
        expect(await answer(id, { stream_id: UNKNOWN, ...more })).toBe('Invalid channel ID');
      expect(await answer(id, { stream_id: channels['full'] })).toBe(CHANNEL_IS_OLD);
      expect(await answer(id, { stream_id: channels['full'], ...whole })).toBe(ALL_IS_OLD);
    });
    expect(await answer(id, { stream_id: channels['full'] })).toBe(
      'You do not have permission to create new topics in this channel.',
    );
  });
});
