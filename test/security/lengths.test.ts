import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Parameters } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { leastStatements } from '../support/statements.ts';
import { openWorld, type World } from '../support/world.ts';

/** Longer than every bound. */
const LONG = 'x'.repeat(300_000);
/** Statements that find out who asks, and where. */
const WHO_ASKS = 3;

type Attempt = readonly ['POST' | 'PATCH' | 'GET', string, Parameters];

describe.each(databases)('31: texts without end are refused by their length, before any work, on %s', (database) => {
  let world: World;
  let messageId: number;
  beforeAll(async () => {
    world = await openWorld(database);
    messageId = (await world.max.post('/messages', { type: 'direct', to: [world.mia.userId], content: 'x' }))['id'];
  });
  afterAll(() => world.close());

  const draft = { type: 'private', to: [], topic: '', content: '' };
  const attempts: readonly (readonly [string, () => Attempt])[] = [
    ['a status', () => ['POST', '/users/me/status', { status_text: LONG }]],
    ['a name', () => ['PATCH', '/settings', { full_name: LONG }]],
    ['a draft', () => ['POST', '/drafts', { drafts: [{ ...draft, content: LONG }] }]],
    ['the topic of a draft', () => ['POST', '/drafts', { drafts: [{ ...draft, topic: LONG }] }]],
    ['the title of a snippet', () => ['POST', '/saved_snippets', { title: LONG, content: 'x' }]],
    ['a snippet', () => ['POST', '/saved_snippets', { title: 'x', content: LONG }]],
    ["a channel's name", () => ['POST', '/users/me/subscriptions', { subscriptions: [{ name: LONG }] }]],
    [
      "a channel's description",
      () => ['POST', '/users/me/subscriptions', { subscriptions: [{ name: 'x', description: LONG }] }],
    ],
    ["a group's name", () => ['POST', '/user_groups/create', { name: LONG, description: 'x', members: [] }]],
    ["a group's description", () => ['POST', '/user_groups/create', { name: 'x', description: LONG, members: [] }]],
    ["the organization's description", () => ['PATCH', '/realm', { description: LONG }]],
    ['a message', () => ['POST', '/messages', { type: 'direct', to: [world.mia.userId], content: LONG }]],
    ['a topic', () => ['POST', '/messages', { type: 'channel', to: 'general', topic: LONG, content: 'x' }]],
    ['a message that is changed', () => ['PATCH', `/messages/${messageId}`, { content: LONG }]],
    ['a message that is shown', () => ['POST', '/messages/render', { content: LONG }]],
    [
      'an operand of a search',
      () => [
        'POST',
        '/messages/flags/narrow',
        {
          anchor: 'newest',
          num_before: 1,
          num_after: 0,
          op: 'add',
          flag: 'read',
          narrow: [{ operator: 'search', operand: LONG }],
        },
      ],
    ],
    ['an emoji of a reaction', () => ['POST', `/messages/${messageId}/reactions`, { emoji_name: LONG }]],
    ['a linkifier', () => ['POST', '/realm/filters', { pattern: LONG, url_template: 'https://x.test/' }]],
    ['an address', () => ['POST', '/fetch_api_key', { username: `${LONG}@x.test`, password: 'x' }]],
    ['a password', () => ['POST', '/fetch_api_key', { username: 'owner@roost.test', password: LONG }]],
  ];
  it.each(attempts)('%s', async (_what, attempt) => {
    const [method, path, fields] = attempt();
    const { olive } = world;
    let reply: Awaited<ReturnType<typeof olive.request>> | undefined;
    const count = await leastStatements(world, async () => {
      reply = await olive.request(method, path, fields);
    });
    // Strangers may not even send so much.
    if (reply?.status !== 413) {
      expect(reply?.status).toBe(400);
      expect(reply?.body['msg']).toMatch(/too long \(limit: \d+ characters\)/);
    }
    expect(count).toBeLessThanOrEqual(WHO_ASKS);
    // The same call with a short text is not refused for its length.
    const short = JSON.parse(JSON.stringify(fields).replaceAll(LONG, 'x'));
    expect((await olive.request(method, path, short)).body['msg']).not.toMatch(/too long/);
  });
});
