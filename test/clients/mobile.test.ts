import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Schema } from '#kernel/schema';
import type { Body } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { afternoon } from '../support/session.ts';
import { openWorld, type World } from '../support/world.ts';
import { EVENTS } from './mobile/events.ts';
import { fetchedMessage, user } from './mobile/shapes.ts';
import { REGISTERING, snapshot } from './mobile/snapshot.ts';

/** What an afternoon does not bring to somebody who looks on. */
const UNSEEN = ['heartbeat', 'device/update'];

/** Faults of a value, as the app would meet them. */
const faults = (schema: Schema, value: unknown) => {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
};

// The app itself cannot run here: these are its decoders as far as they can fail. Contract clients 1.6 and 1.7,
// contract register 2.15 and 4.7.
describe.each(databases)('the mobile app on %s', (name) => {
  let world: World;
  let before: Body;
  let events: readonly Body[];
  beforeAll(async () => {
    world = await openWorld(name);
    const queue = await world.max.register(REGISTERING);
    before = queue.state;
    await afternoon(world);
    events = await queue.events();
  });
  afterAll(() => world.close());

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
