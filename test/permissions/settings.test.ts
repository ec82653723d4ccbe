import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, Parameters, Reply } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** What is tried in a channel: a public one unless the permission matters in private ones only. */
interface Act {
  readonly setting: string;
  readonly isPrivate?: true;
  /** What others meet; a pattern of the message. */
  readonly refusal: RegExp;
  readonly act: (world: World, client: Client, channel: Place) => Promise<Reply>;
  /** Whether guests never hold it, whatever the value says. See protocol/permissions#channel-permissions. */
  readonly notForGuests?: true;
}

interface Place {
  readonly id: number;
  readonly name: string;
}

let made = 0;
const SUBSCRIPTIONS = '/users/me/subscriptions';
const NO_RIGHT = /^Insufficient permission$/;

async function say(client: Client, channel: Place, topic = 'known'): Promise<number> {
  return (await client.post('/messages', { type: 'channel', to: channel.id, topic, content: 'hello' }))['id'];
}

const send = (client: Client, { id }: Place, topic: string) =>
  client.request('POST', '/messages', { type: 'channel', to: id, topic, content: 'hello' });

/** A change of a message that somebody else sent. */
const change =
  (parameters: Parameters): Act['act'] =>
  async (world, client, channel) =>
    client.request('PATCH', `/messages/${await say(world.adam, channel, `topic ${++made}`)}`, parameters);

/** Everything that a channel's permissions decide, where it is decided. */
const ACTS: readonly Act[] = [
  {
    setting: 'can_send_message_group',
    refusal: /^You do not have permission to post in this channel\.$/,
    act: (_world, client, channel) => send(client, channel, 'known'),
  },
  {
    setting: 'can_create_topic_group',
    refusal: /^You do not have permission to create new topics in this channel\.$/,
    act: (_world, client, channel) => send(client, channel, `new ${++made}`),
  },
  {
    setting: 'can_delete_any_message_group',
    refusal: /permission to delete this message/,
    act: async (world, client, channel) => client.request('DELETE', `/messages/${await say(world.adam, channel)}`),
  },
  {
    setting: 'can_delete_own_message_group',
    refusal: /permission to delete this message/,
    act: async (_world, client, channel) => client.request('DELETE', `/messages/${await say(client, channel)}`),
  },
  {
    setting: 'can_move_messages_within_channel_group',
    refusal: /permission to edit this message/,
    act: change({ topic: 'another' }),
  },
  {
    setting: 'can_move_messages_out_of_channel_group',
    refusal: /permission to move this message/,
    act: async (world, client, channel) => {
      const { stream_id } = await world.adam.get('/get_stream_id', { stream: 'target' });
      return change({ stream_id })(world, client, channel);
    },
  },
  {
    setting: 'can_resolve_topics_group',
    refusal: /permission to resolve topics/,
    act: async (world, client, channel) => {
      const topic = `open ${++made}`;
      const id = await say(world.adam, channel, topic);
      return client.request('PATCH', `/messages/${id}`, { topic: `✔ ${topic}`, propagate_mode: 'change_all' });
    },
  },
  {
    setting: 'can_add_subscribers_group',
    notForGuests: true,
    refusal: /^Insufficient permission$|^Not allowed for guest users$/,
    act: async (world, client, { name }) => {
      const { userId } = await world.user();
      return client.request('POST', SUBSCRIPTIONS, { subscriptions: [{ name }], principals: [userId] });
    },
  },
  {
    setting: 'can_remove_subscribers_group',
    refusal: NO_RIGHT,
    act: async (world, client, { name }) => {
      const { userId } = await world.user();
      await world.adam.post(SUBSCRIPTIONS, { subscriptions: [{ name }], principals: [userId] });
      return client.request('DELETE', SUBSCRIPTIONS, { subscriptions: [name], principals: [userId] });
    },
  },
  {
    setting: 'can_subscribe_group',
    isPrivate: true,
    notForGuests: true,
    refusal: /^Unable to access channel \(.*\)\.$|^Not allowed for guest users$/,
    act: (_world, client, { name }) => client.request('POST', SUBSCRIPTIONS, { subscriptions: [{ name }] }),
  },
  {
    setting: 'can_administer_channel_group',
    notForGuests: true,
    refusal: /^You do not have permission to administer this channel\.$/,
    act: (_world, client, { id }) => client.request('PATCH', `/streams/${id}`, { description: `${++made}` }),
  },
];

/**
 * Each permission of a channel, given to one member through groups inside groups
 * (protocol/permissions#channel-permissions).
 */
describe.each(databases)('permissions of a channel on %s', (database) => {
  let world: World;
  let group: number;
  let inner: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { adam, olive, max, gus, realm } = world;
    // Nothing is allowed by the organization, so that the channel alone decides.
    const none = { new: realm.groups['role:nobody'] };
    await olive.patch('/realm', {
      can_add_subscribers_group: none,
      can_delete_any_message_group: none,
      can_delete_own_message_group: none,
      can_move_messages_between_channels_group: none,
      can_move_messages_between_topics_group: none,
      can_resolve_topics_group: none,
      can_set_delete_message_policy_group: { new: realm.groups['role:administrators'] },
    });
    await adam.post('/channels/create', { name: 'target', subscribers: [adam.userId, max.userId, gus.userId] });
    const make = async (name: string, members: number[], subgroups: number[]): Promise<number> =>
      (await adam.post('/user_groups/create', { name, description: '', members, subgroups }))['group_id'];
    inner = await make('inner', [max.userId, gus.userId], []);
    group = await make('outer', [], [inner]);
  });
  afterAll(() => world.close());

  const channelWith = async ({ setting, isPrivate }: Act): Promise<Place> => {
    const { adam, mia, gus } = world;
    const name = `channel ${++made}`;
    const { id } = await adam.post('/channels/create', {
      name,
      subscribers: isPrivate ? [adam.userId] : [adam.userId, mia.userId, gus.userId],
      invite_only: isPrivate ?? false,
      [setting]: { direct_members: [adam.userId], direct_subgroups: [group] },
    });
    const channel = { id, name };
    await say(adam, channel);
    return channel;
  };

  it.each(ACTS)('$setting', async (one) => {
    const { max, mia, gus } = world;
    const channel = await channelWith(one);
    const refused = async (client: Client) => {
      const { status, body } = await one.act(world, client, channel);
      expect(status).toBe(400);
      expect(body['msg']).toMatch(one.refusal);
    };
    await refused(mia);
    expect((await one.act(world, max, channel)).body).toMatchObject({ result: 'success' });
    if (one.notForGuests) await refused(gus);
    else expect((await one.act(world, gus, channel)).body).toMatchObject({ result: 'success' });
    // The permission ends with the membership that gave it.
    await world.adam.post(`/user_groups/${group}/subgroups`, { delete: [inner] });
    const { status, body } = await one.act(world, max, channel);
    await world.adam.post(`/user_groups/${group}/subgroups`, { add: [inner] });
    if (!one.isPrivate) expect([status, body['msg']]).toEqual([400, expect.stringMatching(one.refusal)]);
  });
});
