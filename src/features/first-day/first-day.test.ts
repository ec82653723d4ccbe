import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId, type UserId } from '#kernel/ids';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { createOrganization } from '../organizations/index.ts';
import { answerTo, wordsOf } from './words/index.ts';

const DIRECT_WELCOME = [['is', 'dm']];

describe.each(databases)('the first day of an organization, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database, { isFurnished: true });
    world.server.context.jobs.start(world.server.context);
    await world.server.context.jobs.idle();
  });
  afterAll(() => world.close());

  /** Messages of a narrow, oldest first. */
  async function read(client: Client, narrow: readonly unknown[]): Promise<Body[]> {
    await world.server.context.jobs.idle();
    const query = { narrow, anchor: 'newest', num_before: 20, num_after: 0 };
    return (await client.get('/messages', query))['messages'];
  }
  const inChannel = (name: string) => [['channel', name]];

  it('begins with three default channels, to which the owner is subscribed', async () => {
    const { olive } = world;
    const { streams } = await olive.get('/streams');
    expect(streams.map((channel: Body) => [channel['name'], channel['rendered_description']])).toEqual([
      ['general', '<p>For everyone, about everything</p>'],
      ['random', '<p>Whatever has no other place</p>'],
      ['sandbox', '<p>For trying things</p>'],
    ]);
    const { realm_default_streams } = (await olive.register({ fetch_event_types: ['default_streams'] })).state;
    expect(realm_default_streams).toEqual(streams.map((channel: Body) => channel['stream_id']));
    const { subscriptions } = await olive.get('/users/me/subscriptions');
    expect(subscriptions.map((channel: Body) => channel['name']).toSorted()).toEqual(['general', 'random', 'sandbox']);
    const html = await olive.post('/messages/render', { content: 'For everyone, about everything' });
    expect(html['rendered']).toBe('<p>For everyone, about everything</p>');
  });

  it('has news of channels posted in general, and nowhere who joined', async () => {
    const { olive } = world;
    const { stream_id } = await olive.get('/get_stream_id', { stream: 'general' });
    const queue = await olive.register({ fetch_event_types: ['realm'] });
    expect(queue.state).toMatchObject({
      realm_new_stream_announcements_stream_id: stream_id,
      realm_zulip_update_announcements_stream_id: stream_id,
      realm_signup_announcements_stream_id: -1,
      realm_moderation_request_channel_id: -1,
    });
  });

  it('begins with one greeting in general and one in sandbox', async () => {
    const [welcome, ...more] = await read(world.olive, inChannel('general'));
    expect(welcome).toMatchObject({ subject: 'welcome', sender_full_name: 'Notification Bot' });
    expect(welcome?.['content']).toContain('href="/#narrow/channel/');
    expect(more).toEqual([]);
    const experiments = await read(world.olive, inChannel('sandbox'));
    expect(experiments).toMatchObject([{ subject: 'experiments', sender_full_name: 'Notification Bot' }]);
    expect(await read(world.olive, inChannel('random'))).toEqual([]);
  });

  it('shows administrators the text for new people, and nobody else (protocol/organizations#pictures)', async () => {
    const { adam, max } = world;
    const queues = [
      await adam.register({ event_types: ['message'] }),
      await max.register({ event_types: ['message'] }),
    ];
    const path = '/realm/test_welcome_bot_custom_message';
    const { message_id } = await adam.post(path, { welcome_message_custom_text: 'Lunch is at **noon**.' });
    expect(await queues[0]?.events()).toMatchObject([
      {
        message: {
          id: message_id,
          sender_full_name: 'Welcome Bot',
          content: 'Lunch is at **noon**.',
          display_recipient: expect.arrayContaining([expect.objectContaining({ id: adam.userId })]),
        },
      },
    ]);
    expect(await queues[1]?.events()).toEqual([]);
    const refusal = async (who: Client, parameters: Body) => (await who.refused('POST', path, parameters)).msg;
    for (const who of [max, world.mona, world.gus])
      expect(await refusal(who, { welcome_message_custom_text: 'x' })).toBe('Must be an organization administrator');
    expect((await world.spectator.refused('POST', path, { welcome_message_custom_text: 'x' })).status).toBe(401);
    await adam.post(path, { welcome_message_custom_text: 'x'.repeat(8000) });
    expect(await refusal(adam, { welcome_message_custom_text: 'a\0b' })).toBe(
      'Invalid welcome_message_custom_text: Value error, null bytes are not allowed',
    );
    expect(await refusal(adam, {})).toBe("Missing 'welcome_message_custom_text' argument");
    expect(await refusal(adam, { welcome_message_custom_text: ' ' })).toBe('Message must not be empty');
    expect(await refusal(adam, { welcome_message_custom_text: 'x'.repeat(8001) })).toBe(
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    );
  });

  it('greets the owner and each new person once, with the words of the organization', async () => {
    const { olive } = world;
    const [greeting, ...more] = await read(olive, DIRECT_WELCOME);
    expect(greeting).toMatchObject({ sender_full_name: 'Welcome Bot' });
    expect(more).toEqual([]);
    await olive.patch('/realm', { welcome_message_custom_text: 'Lunch is at **noon**.' });
    await world.server.context.store.write(async (tx) => {
      await tx.db
        .updateTable('user')
        .set({ may_manage_accounts: true })
        .where('id', '=', asId<UserId>(olive.userId))
        .execute();
    });
    const nina = { email: 'nina@roost.test', full_name: 'Nina New', password: 'a nest above the gate' };
    const { user_id } = await olive.post('/users', nina);
    const client = world.clientOf({ id: user_id, email: nina.email, api_key_version: 1 });
    const [own, ...others] = await read(client, DIRECT_WELCOME);
    expect(own?.['sender_full_name']).toBe('Welcome Bot');
    expect(own?.['content']).toMatch(/^<p>Hello, .*<p>Lunch is at <strong>noon<\/strong>\.<\/p>$/s);
    expect(others).toEqual([]);
    expect((await read(olive, DIRECT_WELCOME)).length).toBe(1);
    const { subscriptions } = await client.get('/users/me/subscriptions');
    expect(subscriptions.map((channel: Body) => channel['name']).toSorted()).toEqual(['general', 'random', 'sandbox']);
  });

  it('has a bot that answers five words, and everything else with the list of them (protocol/messages#effects)', async () => {
    const { max } = world;
    const { cross_realm_bots } = (await max.register({ fetch_event_types: ['realm_user'] })).state;
    const bot = cross_realm_bots.find((one: Body) => one['full_name'] === 'Welcome Bot').user_id;
    const ask = async (content: string) => {
      await max.post('/messages', { type: 'direct', to: [bot], content });
      const messages = await read(max, [{ operator: 'dm', operand: [bot] }]);
      return messages.at(-1);
    };
    for (const [word, said] of [
      ['channels', 'is for a team'],
      [' Topics ', 'is one conversation'],
      ['formatting', 'for a formula'],
      ['KEYBOARD', 'replies'],
      ['help', 'I know these words'],
      ['what is this?', 'I know these words'],
    ] as const) {
      const answer = await ask(word);
      expect(answer?.['sender_full_name']).toBe('Welcome Bot');
      expect(answer?.['content']).toContain(said);
    }
    // Each question has exactly one answer.
    expect(await read(max, [{ operator: 'dm', operand: [bot] }])).toHaveLength(12);
  });

  it('leaves conversations of several and those of other bots alone', async () => {
    const { max, mia } = world;
    const { cross_realm_bots } = (await max.register({ fetch_event_types: ['realm_user'] })).state;
    const idOf = (name: string) => cross_realm_bots.find((one: Body) => one['full_name'] === name).user_id;
    for (const to of [[idOf('Welcome Bot'), mia.userId], [idOf('Notification Bot')]]) {
      await max.post('/messages', { type: 'direct', to, content: 'help' });
      expect(await read(max, [{ operator: 'dm', operand: to }])).toHaveLength(1);
    }
    const { user_id } = await max.post('/bots', { full_name: 'Chatter', short_name: 'chatter' });
    const chatter = world.clientOf({ id: user_id, email: 'chatter-bot@localhost', api_key_version: 1 });
    await chatter.post('/messages', { type: 'direct', to: [idOf('Welcome Bot')], content: 'help' });
    expect(await read(chatter, DIRECT_WELCOME)).toHaveLength(1);
  });

  it('speaks the language of the organization (protocol/organizations#first-day)', async () => {
    const { context } = world.server;
    const owner = { email: 'anna@deutsch.test', full_name: 'Anna', password: 'ein Nest über dem Tor' };
    const settings = { default_language: 'de' };
    const { realm } = await createOrganization(context, { subdomain: 'deutsch', name: 'Deutsch', owner, settings });
    await context.jobs.idle();
    const [messages, channels] = await context.store
      .in(realm)
      .query(async (tx) => [
        await tx.db.selectFrom('message').select(['topic', 'content']).where('realm_id', '=', realm.id).execute(),
        await tx.db.selectFrom('channel').select('description').where('realm_id', '=', realm.id).execute(),
      ]);
    expect(messages.map(({ topic }) => topic).toSorted()).toEqual(['', 'versuche', 'willkommen']);
    for (const { content } of messages) expect(content).toMatch(/Kanal|Kanälen/);
    expect(channels.map(({ description }) => description).toSorted()).toEqual([
      'Für alle, über alles',
      'Was sonst keinen Platz hat',
      'Zum Ausprobieren',
    ]);
  });

  it('answers keywords of the language, and English ones in all', () => {
    const [german, english] = [wordsOf({ language: 'de' }), wordsOf({ language: 'en' })];
    expect(wordsOf({ language: 'xx' })).toBe(english);
    expect(answerTo(german, ' KANÄLE ')).toBe(german.answers['kanäle']);
    expect(answerTo(german, 'channels')).toBe(english.answers['channels']);
    expect(answerTo(english, 'kanäle')).toBe(english.help);
    for (const odd of ['constructor', '__proto__', '']) expect(answerTo(german, odd)).toBe(german.help);
    for (const words of [german, english])
      for (const keyword of Object.keys(words.answers))
        for (const text of [words.greeting, words.help]) expect(text).toContain(`\`${keyword}\``);
  });
});
