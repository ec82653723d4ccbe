import { createECDH, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrganization } from '#features/organizations';
import { apiKeyFor } from '#kernel/auth';
import type { Body, Parameters } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';
import { features } from '../../src/features.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
type Call = readonly [Method, string, Parameters?];
interface Reply {
  readonly result: string;
  readonly msg: string;
}

const NOWHERE = 2_000_000_000;

/** Every operation with a number in its path. */
const numbered = features
  .flatMap((feature) => feature.endpoints ?? [])
  .filter(({ params }) => Object.values(params).some(({ encoding }) => encoding === 'path'));

describe.each(databases)('17: IDs of one organization mean nothing in another, on %s', (database) => {
  let world: World;
  /** The owner of the other organization, who may do everything there. */
  let stranger: (...call: Call) => Promise<Reply>;
  let described: Record<string, Body>;
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
    described = JSON.parse((await world.spectator.fetch('/api/v1/openapi.json')).body).paths;
    // What is off is refused whatever the ID is.
    const settings = { enable_read_receipts: true };
    const theirs = { name: 'theirs', subscribers: [owner.id], invite_only: true };
    const { id: channel } = (await stranger('POST', '/channels/create', theirs)) as unknown as { id: number };
    await stranger('PATCH', '/realm', { ...settings, moderation_request_channel_id: channel });
    await world.olive.patch('/realm', {
      ...settings,
      moderation_request_channel_id: await channelOf({ invite_only: true }),
    });
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

  let made = 0;
  const named = (kind: string): string => `${kind} ${++made}`;
  const channelOf = async (fields: Parameters = {}) =>
    (
      await world.olive.post('/channels/create', {
        name: named('channel'),
        subscribers: [world.olive.userId],
        ...fields,
      })
    )['id'];
  const kind = (wanted: string) => kinds.find(([name]) => name === wanted)?.[1] ?? (() => Promise.resolve(0));
  const botOf = async () =>
    (
      await world.olive.post('/bots', {
        full_name: named('Bot'),
        short_name: `bot${made}`,
        bot_type: 3,
        payload_url: JSON.stringify('https://x.test/'),
      })
    )['user_id'];
  /** How a thing of ours is made, by the name of its ID in paths; some belong to one that has been made. */
  const things: Readonly<Record<string, (ours: Readonly<Record<string, number>>) => Promise<number>>> = {
    user_id: async () => (await world.user({})).userId,
    muted_user_id: async () => (await world.user({})).userId,
    bot_id: botOf,
    user_group_id: async () =>
      (await world.olive.post('/user_groups/create', { name: named('group'), description: '', members: [] }))[
        'group_id'
      ],
    stream_id: () => channelOf(),
    rule_id: async ({ stream_id }) =>
      (await world.olive.post(`/streams/${stream_id}/rules`, { bot_id: await botOf(), words: ['load'] }))[
        'channel_rule'
      ].id,
    message_id: kind('a message'),
    channel_folder_id: async () =>
      (await world.olive.post('/channel_folders/create', { name: named('folder'), description: '' }))[
        'channel_folder_id'
      ],
    key_id: async () => (await world.olive.post('/users/me/api_keys', { name: named('key'), scope: 'all' }))['id'],
    command_id: async () =>
      (await world.olive.post('/bot_commands', { bot_id: await botOf(), name: `command${++made}`, description: 'x' }))[
        'bot_command'
      ].id,
    export_id: async () => (await world.olive.post('/export/realm', { export_type: 1 }))['id'],
    scim_token_id: async () => {
      await world.olive.post('/realm/scim_tokens', { name: named('directory') });
      return (await world.olive.get('/realm/scim_tokens'))['scim_tokens'].at(-1).id;
    },
    subscription_id: async () => {
      const key = createECDH('prime256v1');
      const p256dh = key.generateKeys('base64url');
      const fields = { endpoint: `https://push.test/${++made}`, p256dh, auth: randomBytes(16).toString('base64url') };
      await world.olive.post('/push_subscriptions', fields);
      return (await world.olive.get('/push_subscriptions'))['subscriptions'].at(-1).id;
    },
    linkifier_id: kind('a linkifier'),
    playground_id: kind('a playground'),
    field_id: async () =>
      (await world.olive.post('/realm/profile_fields', { name: named('Field'), field_type: 1 }))['id'],
    attachment_id: kind('a file'),
    saved_snippet_id: kind('a snippet'),
    draft_id: kind('a draft'),
    scheduled_message_id: kind('a scheduled message'),
    reminder_id: kind('a reminder'),
    group_id: async () => {
      await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name: named('first') }] });
      const fields = { group_name: `defaults ${made}`, description: 'x', stream_names: [`first ${made}`] };
      await world.olive.post('/default_stream_groups/create', fields);
      return (await world.olive.register()).state.realm_default_stream_groups.at(-1).id;
    },
    invite_id: kind('an invitation'),
  };
  /** What changes something, where nothing need be sent. */
  const changes: Readonly<Record<string, () => Parameters>> = {
    'PATCH /user_groups/{user_group_id}': () => ({ name: named('theirs') }),
    'POST /user_groups/{user_group_id}/members': () => ({ add: [world.mia.userId] }),
    'POST /user_groups/{user_group_id}/subgroups': () => ({ add: [world.realm.groups['role:members']] }),
    'PATCH /realm/profile_fields/{field_id}': () => ({ name: named('theirs') }),
    'PATCH /default_stream_groups/{group_id}': () => ({ new_group_name: named('theirs') }),
    'PATCH /scheduled_messages/{scheduled_message_id}': () => ({ content: 'theirs' }),
    'PATCH /saved_snippets/{saved_snippet_id}': () => ({ title: 'theirs' }),
  };

  it.each(numbered.map((one) => [`${one.method} ${one.path}`, one] as const))(
    'by every operation: %s',
    async (title, endpoint) => {
      const { method, path, params } = endpoint;
      const ours: Record<string, number> = {};
      for (const name of Object.keys(params).filter((one) => params[one]?.encoding === 'path'))
        ours[name] = (await (path.includes('multiuse') ? kind('a link to join')() : things[name]?.(ours))) ?? 0;
      expect(Math.min(...Object.values(ours))).toBeGreaterThan(0);
      const fields = { ...examples(method, path), ...changes[title]?.() };
      const at = (ids: Readonly<Record<string, number>>) =>
        path.replace(/\{(\w+)\}/g, (_part, name: string) => String(ids[name] ?? NOWHERE));
      const said = async (ids: Readonly<Record<string, number>>) => {
        const { result, msg } = await stranger(method, at(ids), fields);
        return [
          result,
          Object.values({ ...ids, NOWHERE }).reduce((text, id) => text.replaceAll(String(id), 'ID'), msg),
        ];
      };
      const refused = await said(ours);
      expect(refused[0]).toBe('error');
      expect(refused).toEqual(await said({}));
      // Here it is something.
      const { body } = await world.olive.request(method, at(ours), fields);
      expect(body['msg']).not.toBe((await world.olive.request(method, at({}), fields)).body['msg']);
    },
  );

  /** What must be sent, as the description of the API shows it. */
  function examples(method: Method, path: string): Parameters {
    const shape = (text: string) => text.replace(/\{[^}]*\}/g, '{}');
    const [, operations] = Object.entries(described).find(([one]) => shape(one) === shape(`/api/v1${path}`)) ?? [];
    const [form] = Object.values<Body>(operations?.[method.toLowerCase()].requestBody?.content ?? {});
    const { properties = {}, required = [] } = form?.['schema'] ?? {};
    return Object.fromEntries(required.map((name: string) => [name, properties[name].examples?.[0]]));
  }

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
