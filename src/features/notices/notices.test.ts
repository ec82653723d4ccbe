import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setRealmSettings } from '#features/realms';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('notices on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    world.server.context.jobs.start(world.server.context);
  });
  afterAll(() => world.close());

  const notices = async (client: Client, act: () => Promise<unknown>): Promise<Body[]> => {
    await world.server.context.jobs.idle();
    const queue = await client.register({ event_types: ['message'] });
    await act();
    await world.server.context.jobs.idle();
    return (await queue.events()).map((event) => ({ ...event['message'], flags: event['flags'] }));
  };
  const who = (client: Client, name: string) => `@_**${name}|${client.userId}**`;

  it('says in a new channel what it is, read for who made it (protocol/channels#creation-effects)', async () => {
    const { max, mia } = world;
    const subscriptions = [{ name: 'birds', description: 'all of ``them``' }];
    const posted = await notices(max, () =>
      max.post('/users/me/subscriptions', { subscriptions, principals: [max.userId, mia.userId] }),
    );
    expect(posted).toMatchObject([
      {
        sender_full_name: 'Notification Bot',
        subject: 'channel events',
        flags: ['read'],
        content: `**Public** channel created by ${who(max, 'Max Member')}. **Description:**\n\`\`\` quote\nall of \`\`them\`\`\n\`\`\``,
      },
    ]);
  });

  it('announces a new channel where the organization announces them', async () => {
    const { olive, max, realm, server } = world;
    const { id } = await olive.post('/channels/create', { name: 'news', subscribers: [max.userId] });
    await server.context.store
      .in(realm)
      .write((tx) => setRealmSettings(tx, { new_stream_announcements_stream_id: id }));
    const posted = await notices(max, () =>
      olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'more' }], announce: true }),
    );
    expect(posted.filter((message) => message['display_recipient'] === 'news')).toMatchObject([
      { subject: 'new channels', content: `${who(olive, 'Olive Owner')} created a new channel #**more**.` },
    ]);
  });

  it('tells people who subscribed them, and neither bots nor the caller', async () => {
    const { max, mona } = world;
    const bot = await world.user({ is_bot: true, bot_type: 1, bot_owner_id: max.userId as never });
    const add = (parameters: Body = {}) =>
      max.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'birds' }],
        principals: [max.userId, mona.userId, bot.userId],
        ...parameters,
      });
    const told = await notices(mona, () => add());
    expect(told).toMatchObject([
      { type: 'private', content: `${who(max, 'Max Member')} subscribed you to #**birds**.` },
    ]);
    await mona.delete('/users/me/subscriptions', { subscriptions: ['birds'] });
    const untold = await notices(mona, () => add({ send_new_subscription_messages: false }));
    expect(untold).toEqual([]);
  });

  it('says in the channel what changed of it (protocol/channels#notices)', async () => {
    const { max, olive, realm } = world;
    const { stream_id } = await max.get('/get_stream_id', { stream: 'birds' });
    const posted = await notices(max, async () => {
      await max.patch(`/streams/${stream_id}`, { new_name: 'fish', description: '' });
      await max.patch(`/streams/${stream_id}`, { is_private: true, history_public_to_subscribers: true });
      await max.patch(`/streams/${stream_id}`, { can_send_message_group: { new: realm.groups['role:members'] } });
      await olive.patch(`/streams/${stream_id}`, { message_retention_days: 7 });
      await olive.patch(`/streams/${stream_id}`, { folder_id: null });
      await max.delete(`/streams/${stream_id}`);
      await max.patch(`/streams/${stream_id}`, { is_archived: false });
    });
    const actor = who(max, 'Max Member');
    expect(posted.map((message) => message['content'])).toEqual([
      `${actor} changed the description of this channel.\n\n**Old description:**\n\`\`\` quote\nall of \`\`them\`\`\n\`\`\`\n\n**New description:**\n*No description.*`,
      `${actor} renamed channel **birds** to **fish**.`,
      `${actor} changed the access of this channel from **Public** to **Private, shared history**.`,
      `${actor} changed who may post in this channel.\n\n* **Old:** @_*role:everyone*\n* **New:** @_*role:members*`,
      `${who(olive, 'Olive Owner')} changed how long messages are kept in this channel from **the organization's default (forever)** to **7 days**. Messages in this channel will be deleted 7 days after they were sent.`,
      'Channel #**fish** has been archived.',
      'Channel #**fish** has been unarchived.',
    ]);
  });

  it('speaks the language of the organization (protocol/channels#notices)', async () => {
    const { max, mona, olive } = world;
    await olive.patch('/realm', { default_language: 'de' });
    const both = { principals: [max.userId, mona.userId] };
    const told = await notices(mona, async () => {
      await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'vögel' }], ...both });
      const { stream_id } = await max.get('/get_stream_id', { stream: 'vögel' });
      await max.patch(`/streams/${stream_id}`, { description: 'alle', topics_policy: 'allow_empty_topic' });
      await max.patch(`/streams/${stream_id}`, { is_private: true, history_public_to_subscribers: false });
      await max.patch(`/streams/${stream_id}`, { can_send_message_group: { new: world.realm.groups['role:members'] } });
      await olive.patch(`/streams/${stream_id}`, { message_retention_days: 1 });
      await max.patch(`/streams/${stream_id}`, { new_name: 'krähen' });
      await max.delete(`/streams/${stream_id}`);
      await max.patch(`/streams/${stream_id}`, { is_archived: false });
      await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }], principals: [max.userId] });
      await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }], principals: [mona.userId] });
      const group = await max.post('/user_groups/create', { name: 'schwarm', description: '', members: [max.userId] });
      await max.post(`/user_groups/${group['group_id']}/members`, { add: [mona.userId] });
    });
    await olive.patch('/realm', { default_language: 'en' });
    const texts = told.map(({ content }) => content as string);
    expect(texts.length).toBeGreaterThanOrEqual(9);
    for (const text of texts) expect(text).not.toMatch(/\b(the|this|of|has|been|you|from|to|and|channel|old|new)\b/i);
    expect(texts).toContain(`${who(max, 'Max Member')} hat #**nest** für dich abonniert.`);
    expect(texts).toContain(`${who(max, 'Max Member')} hat dich zur Gruppe @_*schwarm* hinzugefügt.`);
    expect(texts).toContain('Der Kanal #**krähen** ist jetzt archiviert.');
    expect(texts.join('\n')).toContain('**wie in der Organisation (für immer)** auf **1 Tag** geändert');
  });

  it('is silent where the organization wants no notices', async () => {
    const { max, realm, server } = world;
    await server.context.store.in(realm).write((tx) => setRealmSettings(tx, { send_channel_events_messages: false }));
    const posted = await notices(max, () =>
      max.post('/users/me/subscriptions', { subscriptions: [{ name: 'quiet' }] }),
    );
    expect(posted).toEqual([]);
  });
});
