import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BotServer, startBotServer } from '../../../test/support/bot-server.ts';
import type { Body, Client, Parameters } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const url = '/bot_commands';

describe.each(databases)('commands of bots on %s', (database) => {
  let world: World;
  let server: BotServer;
  let made = 0;
  beforeAll(async () => {
    server = await startBotServer();
    world = await openWorld(database, { environment: { ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8' } });
    world.server.context.jobs.start(world.server.context);
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'harbour' }] });
    await idle();
  });
  afterEach(() => server.reset());
  afterAll(async () => {
    await world.close();
    await server.close();
  });

  async function make(values: Parameters = {}) {
    const short_name = `crane${++made}`;
    const full_name = `Crane ${made}`;
    const payload_url = JSON.stringify(server.url);
    const { user_id: id } = await world.max.post('/bots', {
      full_name,
      short_name,
      bot_type: 3,
      payload_url,
      ...values,
    });
    const client = world.clientOf({ id, email: `${short_name}-bot@localhost`, api_key_version: 1 });
    return { id, client, mention: `@**${full_name}**` };
  }
  const idle = () => world.server.context.jobs.idle();
  const listen = (client: Client) => client.register({ event_types: ['message'], idle_queue_timeout: 50_000 });
  const heard = async (queue: Awaited<ReturnType<Client['register']>>): Promise<Body[]> =>
    (await queue.events()).map((event) => event['message']);
  const post = async (sender: Client, content: string, channel = 'harbour') => {
    const { id } = await sender.post('/messages', { type: 'channel', to: channel, topic: 'cargo', content });
    await idle();
    return id;
  };
  const register = (client: Client, name: string, values: Parameters = {}) =>
    client.post(url, { name, description: 'Ships it', ...values });

  it('are registered by the bot itself or who may manage it, and everybody hears of them (protocol/bots#commands)', async () => {
    const bot = await make();
    let id = 0;
    const [own, guest] = await expectSync([world.max, world.gus], async () => {
      const { bot_command } = await register(bot.client, 'ship', { usage_hint: ' where ' });
      id = bot_command.id;
      expect(bot_command).toEqual({
        id,
        name: 'ship',
        description: 'Ships it',
        usage_hint: 'where',
        bot_id: bot.id,
      });
      await register(bot.client, 'ship', { usage_hint: 'where' });
      await register(world.adam, 'ship', { bot_id: bot.id, usage_hint: 'where to' });
      expect((await world.gus.get(url))['bot_commands']).toContainEqual({ ...bot_command, usage_hint: 'where to' });
      await world.max.delete(`${url}/${id}`);
    });
    expect(own).toMatchObject([
      { type: 'bot_command', op: 'add', bot_command: { id, name: 'ship' } },
      { type: 'bot_command', op: 'update', bot_command: { id, usage_hint: 'where to' } },
      { type: 'bot_command', op: 'remove', bot_command_id: id },
    ]);
    expect(guest?.map(({ op }) => op)).toEqual(['add', 'update', 'remove']);
    const kept = await register(bot.client, 'kept');
    const { state } = await world.gus.register({ fetch_event_types: ['bot_commands'] });
    expect(state['bot_commands']).toEqual([kept['bot_command']]);
  });

  it('are refused with the first thing wrong', async () => {
    const [bot, other] = [await make(), await make()];
    const generic = await make({ bot_type: 1 });
    const refused = async (client: Client, fields: Parameters) => (await client.refused('POST', url, fields)).msg;
    const good = { name: 'refused', description: 'x' };
    expect(await refused(world.gus, { ...good, bot_id: bot.id })).toBe('Not allowed for guest users');
    expect(await refused(world.mia, { ...good, bot_id: bot.id })).toBe('Insufficient permission');
    expect(await refused(world.mia, { ...good, bot_id: 99_999 })).toBe('No such bot');
    expect(await refused(world.mia, good)).toBe('No such bot');
    expect(await refused(generic.client, good)).toBe('Not an outgoing webhook bot');
    expect(await refused(world.max, { ...good, bot_id: generic.id })).toBe('Not an outgoing webhook bot');
    expect(await refused(bot.client, { ...good, bot_id: other.id })).toBe('Insufficient permission');
    for (const name of ['Ship', '/ship', 'a b', '', '9', 'me', 'poll', 'dark', 'x'.repeat(31)])
      expect(await refused(bot.client, { ...good, name })).toBe('Invalid command name');
    expect(await refused(bot.client, { name: 'refused', description: ' ' })).toBe('description cannot be blank');
    const { bot_command } = await register(bot.client, 'refused');
    expect(await refused(other.client, good)).toBe("Command '/refused' already exists.");
    expect(await world.mia.refused('DELETE', `${url}/${bot_command.id}`)).toMatchObject({
      msg: 'Insufficient permission',
    });
    expect(await world.mia.refused('DELETE', `${url}/99999`)).toMatchObject({
      status: 404,
      msg: 'Command does not exist.',
    });
    expect((await world.spectator.request('GET', url)).status).toBe(401);
  });

  it('are bounded for a bot, and made once by two at once', async () => {
    const bot = await make();
    const both = await Promise.all([register(bot.client, 'twice'), register(bot.client, 'twice')]);
    expect(both[0]['bot_command'].id).toBe(both[1]['bot_command'].id);
    for (let index = 1; index < 50; index++) await register(bot.client, `bound-${index}`);
    expect(await bot.client.refused('POST', url, { name: 'bound-50', description: 'x' })).toMatchObject({
      msg: 'There can be at most 50 commands.',
    });
    await register(bot.client, 'bound-49', { description: 'described anew' });
  });

  it('call their bot once, with what follows, and the answer stands below for all who read the message', async () => {
    const bot = await make();
    await register(bot.client, 'deploy');
    const queue = await listen(world.mia);
    await world.mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'harbour' }] });
    server.answer({ content: 'On its way' });
    const id = await post(world.max, `/deploy  web production  ${bot.mention}`);
    expect(server.calls.map(({ body }) => body)).toMatchObject([
      {
        trigger: 'command',
        command: { name: 'deploy', arguments: `web production  ${bot.mention}` },
        message: { id },
      },
    ]);
    expect(await heard(queue)).toMatchObject([
      { id },
      { sender_id: bot.id, content: 'On its way', display_recipient: 'harbour', subject: 'cargo' },
    ]);
  });

  it('are nothing within a text, of another name, in code, or from a bot', async () => {
    const bot = await make();
    await register(bot.client, 'still');
    const { user_id } = await world.max.post('/bots', { full_name: 'Chatter', short_name: 'chatter' });
    const chatter = world.clientOf({ id: user_id, email: 'chatter-bot@localhost', api_key_version: 1 });
    await post(world.max, 'now /still');
    await post(world.max, '/stillness');
    await post(world.max, '/still/there');
    await post(world.max, '`/still`');
    await post(chatter, '/still');
    expect(server.calls).toEqual([]);
    await post(world.max, '/still\nmoving');
    expect(server.calls.at(-1)?.body['command']).toEqual({ name: 'still', arguments: 'moving' });
  });

  it('of a deactivated bot, and removed ones, call nobody', async () => {
    const [bot, other] = [await make(), await make()];
    await register(bot.client, 'gone');
    const { bot_command } = await register(other.client, 'removed');
    await world.max.delete(`/bots/${bot.id}`);
    await world.max.delete(`${url}/${bot_command.id}`);
    await post(world.max, '/gone');
    await post(world.max, '/removed');
    expect(server.calls).toEqual([]);
  });

  it('are answered to their giver alone where the bot wants it, also in a private channel and in direct messages', async () => {
    const bot = await make();
    await register(bot.client, 'whisper');
    await world.max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'cabin' }],
      principals: [world.max.userId, world.mia.userId],
      invite_only: true,
    });
    await idle();
    const [own, other] = [await listen(world.max), await listen(world.mia)];
    server.answer({ content: 'psst', visibility: 'sender' });
    await post(world.max, '/whisper', 'cabin');
    await world.max.post('/messages', { type: 'direct', to: [world.mia.userId], content: '/whisper' });
    await idle();
    expect((await heard(other)).map(({ content }) => content)).toEqual(['/whisper', '/whisper']);
    expect((await heard(own)).filter((one) => one['sender_id'] === bot.id)).toMatchObject([
      { type: 'private', content: 'psst' },
      { type: 'private', content: 'psst' },
    ]);
  });

  it('speak like those of Slack where the bot does', async () => {
    const bot = await make({ interface_type: 2 });
    await register(bot.client, 'slacked');
    const queue = await listen(world.max);
    server.answer({ text: 'only you', response_type: 'ephemeral' });
    await post(world.max, '/slacked one two');
    const form = Object.fromEntries(new URLSearchParams(server.calls[0]?.text));
    expect(form).toMatchObject({ command: '/slacked', text: 'one two', channel_name: 'harbour' });
    expect(form).not.toHaveProperty('trigger_word');
    expect((await heard(queue)).at(-1)).toMatchObject({ type: 'private', content: 'only you', sender_id: bot.id });
  });

  it.each([
    ['lies', (response: ServerResponse) => response.end('<html>'), 'its answer was not a JSON object'],
    [
      'sends more than anybody reads',
      (response: ServerResponse) => response.end('x'.repeat(2_000_000)),
      'its answer was too large',
    ],
    ['refuses', (response: ServerResponse) => response.writeHead(403).end(), 'it answered with status 403'],
  ])('tell who gave them, and the owner, when the server %s', async (_what, answer, fault) => {
    const bot = await make();
    const name = `fails-${made}`;
    await register(bot.client, name);
    const [owner, giver, other] = [await listen(world.max), await listen(world.adam), await listen(world.mona)];
    await world.adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'harbour' }] });
    server.answer(answer);
    const id = await post(world.adam, `/${name}`);
    const link = `http://localhost:9991/#narrow/id/${id}`;
    expect((await heard(giver)).at(-1)?.['content']).toMatch(`[Your command](${link}) did not reach the bot`);
    expect((await heard(owner)).at(-1)?.['content']).toContain(`[A message](${link}) called the outgoing webhook`);
    expect((await heard(owner)).length + (await heard(other)).length).toBe(0);
    expect(server.calls).toHaveLength(1);
    const { messages } = await world.adam.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(messages[0].content).toContain(fault);
  });

  it('end the wait for a server that never answers, try again, and tell who gave them', async () => {
    const bot = await make();
    await register(bot.client, 'hang');
    const giver = await listen(world.adam);
    server.answer(() => undefined);
    await world.adam.post('/messages', { type: 'direct', to: [world.mia.userId], content: '/hang' });
    for (let tries = 1; tries <= 4; tries++) {
      await expect.poll(() => server.calls.length).toBe(tries);
      world.clock.advance(10_000);
      await idle();
      world.clock.advance(60_000);
      world.server.context.jobs.wake();
    }
    await idle();
    expect(server.calls).toHaveLength(4);
    const told = (await heard(giver)).map(({ content }) => content);
    expect(told.at(-1)).toContain('it did not answer in time');
  });
});
