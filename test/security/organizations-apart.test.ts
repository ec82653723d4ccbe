import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrganization } from '#features/organizations';
import { apiKeyFor } from '#kernel/auth';
import type { Parameters } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
type Call = readonly [Method, string, Parameters?];
interface Reply {
  readonly result: string;
  readonly msg: string;
}

const NOWHERE = 2_000_000_000;

describe.each(databases)('17: IDs of one organization mean nothing in another, on %s', (database) => {
  let world: World;
  /** The owner of the other organization, who may do everything there. */
  let stranger: (...call: Call) => Promise<Reply>;
  beforeAll(async () => {
    world = await openWorld(database);
    const { owner } = await createOrganization(world.server.context, {
      subdomain: 'other',
      name: 'Other',
      owner: { email: 'owner@other.test', full_name: 'Otto Other', password: 'a-password-of-others' },
    });
    const key = apiKeyFor(world.server.context.server.secret, owner.id, owner.api_key_version);
    const authorization = `Basic ${Buffer.from(`${owner.email}:${key}`).toString('base64')}`;
    stranger = async (method, path, fields = {}) => {
      const form = new URLSearchParams(
        Object.entries(fields).map(([name, value]): [string, string] => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value ?? null),
        ]),
      ).toString();
      const response = await world.server.listener.inject({
        method,
        url: `/api/v1${path}`,
        headers: {
          host: 'other.localhost',
          authorization,
          ...(form !== '' && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        payload: form,
      });
      return response.json<Reply>();
    };
    expect(await stranger('GET', '/users/me')).toMatchObject({ result: 'success' });
  });
  afterAll(() => world.close());

  const later = () => world.clock.now() + 86_400;

  /** How a thing is made here, and what is tried with its ID: last what our own owner can do with it. */
  const kinds: readonly (readonly [string, () => Promise<number>, (id: number) => readonly Call[]])[] = [
    [
      'a linkifier',
      async () =>
        (
          await world.olive.post('/realm/filters', {
            pattern: 'HOLE-(?P<id>[0-9]+)',
            url_template: 'https://x.test/{id}',
          })
        )['id'],
      (id) => [
        ['PATCH', `/realm/filters/${id}`, { pattern: 'T-(?P<id>[0-9]+)', url_template: 'https://y.test/{id}' }],
        ['DELETE', `/realm/filters/${id}`],
      ],
    ],
    [
      'a playground',
      async () =>
        (
          await world.olive.post('/realm/playgrounds', {
            name: 'Run',
            pygments_language: 'Python',
            url_template: 'https://x.test/{code}',
          })
        )['id'],
      (id) => [['DELETE', `/realm/playgrounds/${id}`]],
    ],
    [
      'a profile field',
      async () => (await world.olive.post('/realm/profile_fields', { name: 'Hole', field_type: 1 }))['id'],
      (id) => [
        ['PATCH', '/users/me/profile_data', { data: [{ id, value: 'theirs' }] }],
        ['PATCH', `/realm/profile_fields/${id}`, { name: 'Theirs' }],
        ['DELETE', `/realm/profile_fields/${id}`],
      ],
    ],
    [
      'a message',
      async () =>
        (await world.olive.post('/messages', { type: 'direct', to: [world.olive.userId], content: 'ours' }))['id'],
      (id) => [
        ['GET', `/messages/${id}`],
        ['GET', `/messages/${id}/history`],
        ['POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }],
        ['POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: later() }],
        ['PATCH', `/messages/${id}`, { content: 'theirs' }],
        ['DELETE', `/messages/${id}`],
      ],
    ],
    [
      'a file',
      async () => {
        await world.olive.upload('plan.txt', 'the plan');
        return (await world.olive.get('/attachments'))['attachments'][0].id;
      },
      (id) => [['DELETE', `/attachments/${id}`]],
    ],
    [
      'a snippet',
      async () => (await world.olive.post('/saved_snippets', { title: 'ours', content: 'ours' }))['saved_snippet_id'],
      (id) => [
        ['PATCH', `/saved_snippets/${id}`, { title: 'theirs' }],
        ['DELETE', `/saved_snippets/${id}`],
      ],
    ],
    [
      'a draft',
      async () => {
        const draft = { type: 'private', to: [world.mia.userId], topic: '', content: 'ours' };
        return (await world.olive.post('/drafts', { drafts: [draft] }))['ids'][0];
      },
      (id) => [
        ['PATCH', `/drafts/${id}`, { draft: { type: 'private', to: [], topic: '', content: 'theirs' } }],
        ['DELETE', `/drafts/${id}`],
      ],
    ],
    [
      'a scheduled message',
      async () =>
        (
          await world.olive.post('/scheduled_messages', {
            type: 'direct',
            to: [world.olive.userId],
            content: 'ours',
            scheduled_delivery_timestamp: later(),
          })
        )['scheduled_message_id'],
      (id) => [
        ['PATCH', `/scheduled_messages/${id}`, { content: 'theirs' }],
        ['DELETE', `/scheduled_messages/${id}`],
      ],
    ],
    [
      'a reminder',
      async () => {
        const { id } = await world.olive.post('/messages', {
          type: 'direct',
          to: [world.olive.userId],
          content: 'ours',
        });
        const reminder = { message_id: id, scheduled_delivery_timestamp: later() };
        return (await world.olive.post('/reminders', reminder))['reminder_id'];
      },
      (id) => [['DELETE', `/reminders/${id}`]],
    ],
    [
      'a channel',
      async () => {
        await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'apart' }] });
        return (await world.olive.get('/get_stream_id', { stream: 'apart' }))['stream_id'];
      },
      (id) => [
        ['GET', `/streams/${id}`],
        ['GET', `/streams/${id}/members`],
        ['GET', `/users/me/${id}/topics`],
        ['POST', '/messages', { type: 'channel', to: String(id), topic: 'x', content: 'theirs' }],
        ['PATCH', `/streams/${id}`, { description: 'theirs' }],
        ['DELETE', `/streams/${id}`],
      ],
    ],
    [
      'a folder',
      async () =>
        (await world.olive.post('/channel_folders/create', { name: 'apart', description: '' }))['channel_folder_id'],
      (id) => [['PATCH', `/channel_folders/${id}`, { name: 'theirs' }]],
    ],
    [
      'a group of default channels',
      async () => {
        await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'first' }] });
        await world.olive.post('/default_stream_groups/create', {
          group_name: 'apart',
          description: 'x',
          stream_names: ['first'],
        });
        return (await world.olive.register()).state.realm_default_stream_groups[0].id;
      },
      (id) => [
        ['PATCH', `/default_stream_groups/${id}`, { new_group_name: 'theirs' }],
        ['DELETE', `/default_stream_groups/${id}`],
      ],
    ],
    [
      'a group',
      async () =>
        (
          await world.olive.post('/user_groups/create', { name: 'apart', description: '', members: [world.mia.userId] })
        )['group_id'],
      (id) => [
        ['GET', `/user_groups/${id}/members`],
        ['PATCH', `/user_groups/${id}`, { name: 'theirs' }],
        ['POST', `/user_groups/${id}/members`, { add: [world.max.userId] }],
        ['POST', `/user_groups/${id}/deactivate`],
      ],
    ],
    [
      'a bot',
      async () => (await world.olive.post('/bots', { full_name: 'Apart', short_name: 'apart' }))['user_id'],
      (id) => [
        ['GET', `/bots/${id}/api_key`],
        ['POST', `/bots/${id}/api_key/regenerate`],
        ['PATCH', `/bots/${id}`, { full_name: 'Theirs' }],
        ['DELETE', `/bots/${id}`],
      ],
    ],
    [
      'a person',
      async () => (await world.user({})).userId,
      (id) => [
        ['GET', `/users/${id}`],
        ['GET', `/users/${id}/status`],
        ['POST', '/messages', { type: 'direct', to: [id], content: 'theirs' }],
        ['POST', `/users/me/muted_users/${id}`],
        ['PATCH', `/users/${id}`, { full_name: 'Theirs' }],
        ['DELETE', `/users/${id}`],
      ],
    ],
    [
      'an invitation',
      async () => {
        await world.olive.post('/invites', { invitee_emails: 'apart@roost.test', stream_ids: [] });
        return (await world.olive.get('/invites'))['invites'][0].id;
      },
      (id) => [
        ['POST', `/invites/${id}/resend`],
        ['DELETE', `/invites/${id}`],
      ],
    ],
    [
      'a link to join',
      async () => {
        await world.olive.post('/invites/multiuse');
        return (await world.olive.get('/invites'))['invites'].find((one: { is_multiuse: boolean }) => one.is_multiuse)
          .id;
      },
      (id) => [['DELETE', `/invites/multiuse/${id}`]],
    ],
  ];

  it.each(kinds)('%s', async (_what, make, tries) => {
    const id = await make();
    expect(id).toBeGreaterThan(0);
    for (const [method, path, fields] of tries(id)) {
      const refused = await stranger(method, path, fields);
      expect(refused, `${method} ${path}`).toMatchObject({ result: 'error' });
      // It is answered as what there is not, so that nobody learns what there is elsewhere.
      const [, nowhere, otherFields] =
        tries(NOWHERE)[tries(id).findIndex((one) => one[0] === method && one[1] === path)] ?? [];
      const answer = await stranger(method, nowhere ?? '', otherFields);
      expect(refused.msg.replaceAll(String(id), 'ID')).toBe(answer.msg.replaceAll(String(NOWHERE), 'ID'));
    }
    for (const [method, path, fields] of tries(id)) {
      const own = await world.olive.request(method, path, fields);
      expect(own.body, `${method} ${path}`).toMatchObject({ result: 'success' });
    }
  });

  it('the key of a link to join', async () => {
    const { invite_link } = await world.olive.post('/invites/multiuse', { stream_ids: [] });
    const { pathname } = new URL(invite_link);
    const open = (host: string) => world.server.listener.inject({ method: 'GET', url: pathname, headers: { host } });
    expect((await open('other.localhost')).statusCode).toBe(404);
    expect((await open('localhost')).statusCode).toBe(200);
  });

  it('the path of a file', async () => {
    const { url } = await world.olive.upload('ours.txt', 'ours alone');
    const response = await world.server.listener.inject({ method: 'GET', url, headers: { host: 'other.localhost' } });
    expect(response.body).not.toContain('ours alone');
    expect((await stranger('GET', url)).result).toBe('error');
    expect((await world.olive.fetch(url)).body).toBe('ours alone');
  });
});
