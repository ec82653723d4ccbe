import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

const PRIVACIES = {
  public: {},
  shared: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
  web: { is_web_public: true },
} as const;
const GRANTS = ['none', 'can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group'] as const;

interface Person {
  readonly role: 200 | 400 | 600;
  readonly subscription: 'never' | 'former' | 'current';
  /** The permission of every channel that the person has. */
  readonly grant: (typeof GRANTS)[number];
}

const PEOPLE: readonly Person[] = ([200, 400, 600] as const).flatMap((role) =>
  (['never', 'former', 'current'] as const).flatMap((subscription) =>
    GRANTS.map((grant) => ({ role, subscription, grant })),
  ),
);

interface Channel {
  readonly id: number;
  readonly privacy: keyof typeof PRIVACIES;
  /** Sent while those who left were there, and when they had left. */
  readonly early: number;
  readonly late: number;
}

/** What protocol/channels#access says of a person and a channel, written down once more, without the server's code. */
function expected({ role, subscription, grant }: Person, { privacy, early, late }: Channel) {
  const isGuest = role === 600;
  const isMember =
    !isGuest && (privacy === 'public' || grant === 'can_subscribe_group' || grant === 'can_add_subscribers_group');
  const reads = privacy === 'web' || subscription === 'current' || isMember;
  const knows = reads || (!isGuest && (role === 200 || grant === 'can_administer_channel_group'));
  const received = { never: [], former: [early], current: [early, late] }[subscription];
  const open = privacy === 'protected' ? received : [early, late];
  return { knows, readable: reads ? open : [], listed: reads ? received : [] };
}

describe.each(databases)('access to what is said, on %s', (database) => {
  let world: World;
  const people = new Map<Person, Client>();
  const channels: Channel[] = [];
  const all = new Set<number>();
  beforeAll(async () => {
    world = await openWorld(database);
    const { olive } = world;
    await olive.patch('/realm', { enable_spectator_access: true });
    for (const person of PEOPLE) people.set(person, await world.user({ role: person.role }));
    for (const privacy of ['public', 'shared', 'protected', 'web'] as const)
      for (const isArchived of [false, true]) channels.push(await channelOf(privacy, isArchived));
    for (const { early, late } of channels) all.add(early).add(late);
  });
  afterAll(() => world.close());

  const idsOf = (chosen: (person: Person) => boolean) =>
    PEOPLE.filter(chosen).map((person) => people.get(person)?.userId ?? 0);

  /** A channel with a message before and one after some have left. */
  const channelOf = async (privacy: Channel['privacy'], isArchived: boolean): Promise<Channel> => {
    const { olive } = world;
    const name = `${privacy} ${isArchived ? 'archived' : 'in use'}`;
    const holders = (grant: Person['grant']) => ({
      direct_members: idsOf((person) => person.grant === grant),
      direct_subgroups: [],
    });
    const { id } = await olive.post('/channels/create', {
      name,
      subscribers: [olive.userId, ...idsOf(({ subscription }) => subscription !== 'never')],
      ...PRIVACIES[privacy],
      can_subscribe_group: holders('can_subscribe_group'),
      can_add_subscribers_group: holders('can_add_subscribers_group'),
      can_administer_channel_group: holders('can_administer_channel_group'),
    });
    const say = async () =>
      (await olive.post('/messages', { type: 'channel', to: id, topic: 't', content: 'hi' }))['id'];
    const early = await say();
    const principals = idsOf(({ subscription }) => subscription === 'former');
    await olive.delete('/users/me/subscriptions', { subscriptions: [name], principals });
    const channel = { id, privacy, early, late: await say() };
    if (isArchived) await olive.delete(`/streams/${id}`);
    return channel;
  };

  /** Those of the test's messages that a narrow gives. */
  const found = async (client: Client, narrow: readonly object[]) => {
    const { status, body } = await client.request('GET', '/messages', { anchor: 'newest', num_before: 100, narrow });
    if (status !== 200) return 'refused';
    return body['messages'].map((message: { id: number }) => message.id).filter((id: number) => all.has(id));
  };
  const isOpen = async (client: Client, id: number) =>
    (await client.request('GET', `/messages/${id}`, { allow_empty_topic_name: true })).status === 200;

  it.each(PEOPLE)(
    'is what the rules say, one by one, in a list and in a narrow: $role, $subscription, $grant (protocol/channels#access)',
    async (person) => {
      const client = people.get(person);
      if (!client) throw new Error('nobody');
      const rights = channels.map((channel) => expected(person, channel));
      const readable = rights.flatMap((one) => one.readable);
      const opened = await Promise.all([...all].map(async (id) => ((await isOpen(client, id)) ? [id] : [])));
      expect(opened.flat()).toEqual(readable);
      expect(await found(client, [])).toEqual(rights.flatMap((one) => one.listed));
      const narrowed = await Promise.all(
        channels.map(({ id }) => found(client, [{ operator: 'channel', operand: id }])),
      );
      expect(narrowed).toEqual(rights.map((one) => (one.knows ? one.readable : 'refused')));
      const known = await Promise.all(
        channels.map(async ({ id }) => (await client.request('GET', `/streams/${id}`)).status === 200),
      );
      expect(known).toEqual(rights.map((one) => one.knows));
    },
  );

  it('is for spectators what is open to the web (protocol/fetching#spectators)', async () => {
    const { spectator } = world;
    const web = channels.filter(({ privacy }) => privacy === 'web').flatMap(({ early, late }) => [early, late]);
    const opened = await Promise.all([...all].map(async (id) => ((await isOpen(spectator, id)) ? [id] : [])));
    expect(opened.flat()).toEqual(web);
    expect(await found(spectator, [{ operator: 'channels', operand: 'web-public' }])).toEqual(web);
  });
});
