import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRIGGERS } from '#features/notifications';
import { TestClock } from '#kernel/clock';
import { json, type Schema } from '#kernel/schema';
import type { Body, Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { afternoon } from '../support/session.ts';
import { Phone } from '../support/phone.ts';
import { plain } from '../support/pictures.ts';
import { PushGateway } from '../support/push-gateway.ts';
import { openWorld, untilParked, type World } from '../support/world.ts';
import { EVENTS } from './mobile/events.ts';
import { NOTIFICATION } from './mobile/notifications.ts';
import { REPLIES } from './mobile/routes.ts';
import { fetchedMessage, user } from './mobile/shapes.ts';
import { REGISTERING, snapshot } from './mobile/snapshot.ts';

/** What an afternoon does not bring to somebody who looks on with the app's capabilities; tests of their own do. */
const UNSEEN: readonly string[] = [
  'heartbeat',
  'device/update',
  'realm_emoji/update',
  'realm_user/remove',
  'user_group/remove',
];

/** Faults of a value, as the app would meet them. */
const faults = (schema: Schema, value: unknown) => {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
};

/** An event that the app puts aside. */
const ignored = json();

// The app itself cannot run here: these are its decoders as far as they can fail. See protocol/clients#registering and
// protocol/clients#messages-read and protocol/events#what-clients-need.
describe.each(databases)('the mobile app on %s', (name) => {
  const clock = new TestClock();
  const now = () => clock.now();
  let gateway: PushGateway;
  let world: World;
  let before: Body;
  let events: readonly Body[];
  beforeAll(async () => {
    gateway = await PushGateway.open(now);
    world = await openWorld(name, { clock, environment: { ROOST_PUSH_GATEWAY_URL: gateway.url } });
    const queue = await world.max.register(REGISTERING);
    before = queue.state;
    await afternoon(world);
    events = await queue.events();
  });
  afterAll(async () => {
    await world.close();
    await gateway.close();
  });
  const jobs = async () => {
    const { context } = world.server;
    context.jobs.start(context);
    context.jobs.wake();
    await context.jobs.idle();
  };

  it('can read the state of a new organization', () => {
    expect(faults(snapshot, before)).toEqual([]);
    expect(before['idle_queue_timeout_secs']).toBe(43_200);
  });

  it('can read the state of one where much has happened', async () => {
    const { state } = await world.max.register(REGISTERING);
    expect(faults(snapshot, state)).toEqual([]);
    expect(state['unread_msgs'].pms).not.toEqual([]);
    for (const field of ['channel_folders', 'custom_profile_fields', 'muted_users', 'user_topics', 'starred_messages'])
      expect(state[field], field).not.toEqual([]);
  });

  it('can read every event that it knows', () => {
    const broken = events.flatMap((event) => {
      const schema = EVENTS[kindOf(event)];
      return schema ? faults(schema, event).map((fault) => `${kindOf(event)} ${fault} ${JSON.stringify(event)}`) : [];
    });
    expect(broken).toEqual([]);
    const seen = new Set(events.map(kindOf));
    expect(Object.keys(EVENTS).filter((kind) => !seen.has(kind) && !UNSEEN.includes(kind))).toEqual([]);
  });

  it('can read what clients with fewer capabilities and guests are told', async () => {
    const { max, olive, gus, user: makeUser } = world;
    const client_capabilities = { notification_settings_null: true, bulk_message_deletion: true };
    const older = await max.register({ ...REGISTERING, client_capabilities });
    const { realm } = world;
    await olive.patch('/realm', { can_access_all_users_group: { new: realm.groups['role:members'] } });
    const guest = await gus.register(REGISTERING);
    const nina = await makeUser({ full_name: 'Nina New' });
    const quay = { subscriptions: [{ name: 'quay' }], principals: [gus.userId, nina.userId, max.userId] };
    await olive.post('/users/me/subscriptions', quay);
    await olive.delete('/users/me/subscriptions', { subscriptions: ['quay'], principals: [nina.userId] });
    const named = { name: 'passing', description: '', members: [max.userId] };
    const { group_id } = await max.post('/user_groups/create', named);
    await max.post(`/user_groups/${group_id}/deactivate`);
    const picture = await plain(20, 20).png().toBuffer();
    await olive.send('POST', '/realm/emoji/quay', [{ name: 'x.png', content: picture }]);
    const told = [...(await older.events()), ...(await guest.events())];
    const broken = told.flatMap((event) =>
      faults(EVENTS[kindOf(event)] ?? ignored, event).map((one) => [kindOf(event), one]),
    );
    expect(broken).toEqual([]);
    const kinds = told.map(kindOf);
    for (const kind of ['realm_emoji/update', 'realm_user/remove', 'user_group/remove']) expect(kinds).toContain(kind);
  });

  it('can read the heartbeat of a poll that waits', async () => {
    const { max } = world;
    const queue = await max.register({ ...REGISTERING, event_types: [] });
    const waiting = max.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
    await untilParked(world, 1);
    clock.advance(56_000);
    const [event] = (await waiting)['events'];
    expect([kindOf(event), faults(EVENTS['heartbeat'] ?? ignored, event)]).toEqual(['heartbeat', []]);
  });

  it('can read what becomes of its phone, and what the phone is sent', async () => {
    const { max, olive } = world;
    const queue = await max.register(REGISTERING);
    const phone = await new Phone(gateway, now).register(max);
    /** Runs jobs until the phone has got so many. */
    const got = async (count: number) => {
      const sent: Body[] = [];
      for (let tries = 0; sent.length < count && tries < 50; tries++) {
        await jobs();
        clock.advance(1000);
        sent.push(...(await phone.read()));
      }
      return sent;
    };
    // What an afternoon has left to be done.
    await got(1);
    const direct = await olive.post('/messages', { type: 'direct', to: [max.userId], content: 'are you there?' });
    const content = `@**Max Member|${max.userId}** come`;
    await olive.post('/messages', { type: 'channel', to: 'orchard', topic: 'tools', content });
    const messages = await got(2);
    await max.post('/messages/flags', { messages: [direct['id']], op: 'add', flag: 'read' });
    const sent = [...messages, ...(await got(1))];
    expect(
      sent.map(({ type, recipient_type }) => recipient_type ?? type).toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['channel', 'direct', 'remove']);
    expect(sent.flatMap((one) => faults(NOTIFICATION, one))).toEqual([]);
    const told = (await queue.events()).filter(({ type }) => type === 'device');
    expect(told.map(kindOf)).toContain('device/update');
    expect(told.flatMap((event) => faults(EVENTS[kindOf(event)] ?? ignored, event))).toEqual([]);
    const { state } = await max.register(REGISTERING);
    expect(faults(snapshot, state)).toEqual([]);
    expect(state['devices']).not.toEqual({});
  });

  it('can read a notification of every kind', async () => {
    const { max, mia, olive } = world;
    const phone = await new Phone(gateway, now).register(max);
    /** Runs jobs until the phone has got something. */
    const next = async () => {
      for (let tries = 0; tries < 50; tries++) {
        await jobs();
        const got = await phone.read();
        if (got.length > 0) return got;
        clock.advance(1000);
      }
      return [];
    };
    await max.patch('/settings', {
      wildcard_mentions_notify: true,
      enable_followed_topic_wildcard_mentions_notify: true,
      enable_followed_topic_push_notifications: true,
      automatically_follow_topics_policy: 4,
      automatically_unmute_topics_in_muted_streams_policy: 4,
      automatically_follow_topics_where_mentioned: false,
    });
    const { stream_id } = await max.get('/get_stream_id', { stream: 'orchard' });
    await max.post('/user_topics', { stream_id, topic: 'pears', visibility_policy: 3 });
    const pickers = { name: 'pickers', description: '', members: [max.userId, mia.userId] };
    await olive.post('/user_groups/create', pickers);
    const said = (topic: string, content: string) => ({ type: 'channel', to: 'orchard', topic, content });
    // Who took part in a topic is told of what is said to it.
    for (const topic of ['plums', 'pears']) await max.post('/messages', said(topic, 'mine'));
    const kinds: Readonly<Record<string, readonly object[]>> = {
      direct_message: [
        { type: 'direct', to: [max.userId], content: 'to you' },
        { type: 'direct', to: [max.userId, mia.userId], content: 'to both' },
      ],
      mentioned: [said('plums', `@**Max Member|${max.userId}**`), said('plums', '@*pickers* come')],
      topic_wildcard_mentioned: [said('plums', '@**topic** ripe')],
      stream_wildcard_mentioned: [said('plums', '@**all** ripe')],
      topic_wildcard_mentioned_in_followed_topic: [said('pears', '@**topic** ripe')],
      stream_wildcard_mentioned_in_followed_topic: [said('pears', '@**all** ripe')],
      followed_topic: [said('pears', 'nothing but words ```x``` :apple: **b**')],
      stream: [said('cherries', '```spoiler what\nred\n```'), said('', '![](https://example.org/x.png)')],
    };
    expect(Object.keys(kinds).toSorted()).toEqual(TRIGGERS.toSorted());
    await next();
    for (const [kind, messages] of Object.entries(kinds)) {
      if (kind === 'stream') {
        const wish = { stream_id, property: 'push_notifications', value: true };
        await max.post('/users/me/subscriptions/properties', { subscription_data: [wish] });
      }
      for (const message of messages) {
        const { id } = await olive.post('/messages', { ...message });
        const about = `${kind}: ${JSON.stringify(message)}`;
        expect((await max.get(`/messages/${id}/notification`))['push'], about).toBe(kind);
        const [shown, ...more] = await next();
        expect([shown, more], about).toMatchObject([{ type: 'message', message_id: id }, []]);
        expect(faults(NOTIFICATION, shown), about).toEqual([]);
        // Half of them are read, and half deleted.
        if (id % 2 === 0) await max.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
        else await olive.delete(`/messages/${id}`);
        const [removed] = await next();
        expect(removed, about).toMatchObject({ type: 'remove', message_ids: [id] });
        expect(faults(NOTIFICATION, removed), about).toEqual([]);
      }
    }
  });

  it('can read polls in which everything has happened, and lists and forms, which it passes over', async () => {
    const { max, mia, olive } = world;
    const send = async (content: string, more = {}) =>
      (await mia.post('/messages', { type: 'channel', to: 'orchard', topic: 'lunch', content, ...more }))['id'];
    const poll = await send('/poll Lunch?\nsoup\nsalad');
    const say = (who: Client, data: object) =>
      who.post('/submessage', { message_id: poll, msg_type: 'widget', content: JSON.stringify(data) });
    await say(max, { type: 'new_option', idx: 1, option: 'bread' });
    await say(max, { type: 'vote', key: 'canned,0', vote: 1 });
    await say(olive, { type: 'vote', key: `${max.userId},1`, vote: 1 });
    await say(max, { type: 'vote', key: 'canned,0', vote: -1 });
    await say(mia, { type: 'question', question: 'Dinner?' });
    const todo = await send('/todo\nwater the plants: twice');
    const { messages } = await max.get('/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: 'topic', operand: 'lunch' }],
      allow_empty_topic_name: true,
    });
    const carrying = messages.filter(({ id }: Body) => [poll, todo].includes(id));
    expect(carrying.map(({ submessages }: Body) => submessages.length)).toEqual([6, 1]);
    expect(carrying.flatMap((one: Body) => faults(fetchedMessage, one))).toEqual([]);
  });

  it('can read the replies that it reads', async () => {
    const { max, mia, olive, spectator } = world;
    await olive.patch('/realm', { enable_read_receipts: true });
    const sent = await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'hi' });
    const { url } = await max.upload('notes.txt', 'x', 'text/plain');
    const { subscriptions } = await max.get('/users/me/subscriptions');
    const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow: [] };
    const login = { username: olive.email, password: 'roost-demo-password' };
    const queue = await max.register(REGISTERING);
    const polled = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true };
    const emoji = await spectator.fetch(queue.state['server_emoji_data_url']);
    const replies: Record<keyof typeof REPLIES, Body> = {
      serverSettings: await spectator.get('/server_settings'),
      fetchApiKey: await spectator.post('/fetch_api_key', login),
      registerDevice: await max.post('/register_client_device'),
      topics: await max.get(`/users/me/${subscriptions[0].stream_id}/topics`, { allow_empty_topic_name: true }),
      events: await max.get('/events', polled),
      messages: await max.get('/messages', { ...page, allow_empty_topic_name: true }),
      sent,
      uploaded: (await max.send('POST', '/user_uploads', [{ name: 'x.txt', content: 'x' }])).body,
      temporaryUrl: await max.get(url),
      flags: await max.post('/messages/flags', { messages: [sent['id']], op: 'add', flag: 'starred' }),
      flagsOfNarrow: await max.post('/messages/flags/narrow', {
        anchor: 'oldest',
        include_anchor: true,
        num_before: 0,
        num_after: 5,
        narrow: [],
        op: 'add',
        flag: 'read',
      }),
      readReceipts: await max.get(`/messages/${sent['id']}/read_receipts`),
      emojiData: emoji.json(),
      savedSnippet: await max.post('/saved_snippets', { title: 'a', content: 'b' }),
      ownUser: await max.get('/users/me'),
      presence: await max.post('/users/me/presence', { status: 'active', new_user_input: true, slim_presence: true }),
    };
    const broken = Object.entries(REPLIES).flatMap(([name, schema]) =>
      faults(schema, replies[name as keyof typeof REPLIES]).map((fault) => `${name} ${fault}`),
    );
    expect(broken).toEqual([]);
  });

  it('can read the messages it fetches, in all conversations and in one', async () => {
    const fetch = async (narrow: readonly object[]) => {
      const page = { anchor: 'newest', include_anchor: true, num_before: 100, num_after: 0, narrow };
      return world.max.get('/messages', { ...page, allow_empty_topic_name: true });
    };
    const everything = await fetch([]);
    expect(everything).toMatchObject({ found_newest: true, found_oldest: true, history_limited: false });
    const topic = await fetch([
      { operator: 'channel', operand: 'orchard' },
      { operator: 'topic', operand: 'tools' },
      { operator: 'with', operand: everything['messages'].find((one: Body) => one['subject'] === 'tools').id },
    ]);
    const direct = await fetch([{ operator: 'dm', operand: [world.max.userId, world.gus.userId, world.mia.userId] }]);
    const [message] = direct['messages'];
    const one = await fetch([{ operator: 'id', operand: String(message.id) }]);
    expect(one['messages']).toHaveLength(1);
    for (const { messages } of [everything, topic, direct] as Body[]) {
      expect(messages).not.toEqual([]);
      expect(messages.flatMap((each: Body) => faults(fetchedMessage, each))).toEqual([]);
    }
    const single = await world.max.get(`/messages/${message.id}`, { apply_markdown: false });
    expect(single['message'].content_type).toBe('text/x-markdown');
    expect(faults(user, await world.max.get('/users/me'))).toEqual([]);
  });
});

function kindOf(event: Body): string {
  return event['op'] === undefined ? event['type'] : `${event['type']}/${event['op']}`;
}
