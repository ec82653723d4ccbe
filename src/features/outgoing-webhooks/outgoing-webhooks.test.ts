import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client, Parameters } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { inGerman } from '../../../test/support/language.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

/** One call that the bot's server got. */
interface Got {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

const environment = { ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8' };

describe.each(databases)('outgoing webhooks on %s', (database) => {
  let world: World;
  let server: Server;
  let url: string;
  let got: Got[] = [];
  /** What the bot's server says: a status and a text. */
  let reply: (call: Got) => readonly [number, string];
  let made = 0;
  const silence = () => [200, '{}'] as const;

  beforeAll(async () => {
    reply = silence;
    server = createServer((request, response) => {
      void text(request).then((said) => {
        const call = { headers: request.headers, text: said };
        got.push(call);
        const [status, body] = reply(call);
        response.writeHead(status).end(body);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}/hook`;
    world = await openWorld(database, { environment });
    world.server.context.jobs.start(world.server.context);
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'harbour' }] });
    // The notice of the new channel.
    await idle();
  });
  afterEach(() => {
    got = [];
    reply = silence;
  });
  afterAll(async () => {
    await world.close();
    server.close();
  });

  interface Made {
    readonly id: number;
    readonly name: string;
    readonly mention: string;
    readonly email: string;
    readonly token: string;
  }
  async function make(values: Parameters = {}): Promise<Made> {
    const name = `Crane ${++made}`;
    const fields = { full_name: name, short_name: `crane${made}`, bot_type: 3, payload_url: JSON.stringify(url) };
    const { user_id: id } = await world.max.post('/bots', { ...fields, ...values });
    const { realm_bots } = (await world.max.register()).state;
    const { services } = realm_bots.find((bot: Body) => bot['user_id'] === id);
    return { id, name, mention: `@**${name}**`, email: `crane${made}-bot@localhost`, token: services[0].token };
  }
  const idle = () => world.server.context.jobs.idle();
  async function post(sender: Client, content: string): Promise<number> {
    const { id } = await sender.post('/messages', { type: 'channel', to: 'harbour', topic: 'cargo', content });
    await idle();
    return id;
  }
  async function write(sender: Client, to: number[], content: string): Promise<number> {
    const { id } = await sender.post('/messages', { type: 'direct', to, content });
    await idle();
    return id;
  }
  const listen = (client: Client) => client.register({ event_types: ['message'], idle_queue_timeout: 50_000 });
  const messages = async (queue: Awaited<ReturnType<Client['register']>>): Promise<Body[]> =>
    (await queue.events()).map((event) => event['message']);

  it('are called when they are mentioned in a channel, and what they answer stands below (protocol/bots#outgoing-webhooks)', async () => {
    const bot = await make();
    const queue = await listen(world.max);
    reply = () => [200, JSON.stringify({ content: 'lifted **it**', widget_content: undefined })];
    const id = await post(world.mia, `${bot.mention} lift`);
    expect(got).toHaveLength(1);
    expect(got[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Roost\//),
    });
    expect(JSON.parse(got[0]?.text ?? '')).toMatchObject({
      bot_email: bot.email,
      bot_full_name: bot.name,
      data: `${bot.mention} lift`,
      trigger: 'mention',
      token: bot.token,
      message: {
        id,
        type: 'stream',
        display_recipient: 'harbour',
        subject: 'cargo',
        sender_id: world.mia.userId,
        sender_email: 'member2@roost.test',
        content: `${bot.mention} lift`,
        rendered_content: expect.stringContaining('user-mention'),
      },
    });
    const [, answer] = await messages(queue);
    expect(answer).toMatchObject({
      sender_id: bot.id,
      display_recipient: 'harbour',
      subject: 'cargo',
      content: 'lifted **it**',
      client: 'OutgoingWebhookResponse',
    });
  });

  it('are called when they are written to, alone or with others', async () => {
    const bot = await make();
    const queue = await listen(world.mia);
    reply = () => [200, '{"response_string": "aye"}'];
    await write(world.mia, [bot.id, world.gus.userId], 'heave');
    expect(JSON.parse(got[0]?.text ?? '')).toMatchObject({ data: 'heave', trigger: 'direct_message' });
    const [, answer] = await messages(queue);
    expect(answer).toMatchObject({ sender_id: bot.id, type: 'private', content: 'aye' });
    expect(answer?.['display_recipient'].map((one: Body) => one['id'])).toEqual(
      [world.mia.userId, world.gus.userId, bot.id].toSorted((a, b) => a - b),
    );
  });

  it.each(['{"response_not_required": true, "content": "x"}', '{}', '""', '', '{"content": " "}', '{"content": null}'])(
    'may answer nothing: %s',
    async (body) => {
      const bot = await make();
      const queue = await listen(world.max);
      reply = () => [200, body];
      await post(world.max, bot.mention);
      expect(got).toHaveLength(1);
      expect(await messages(queue)).toMatchObject([{ content: bot.mention }]);
    },
  );

  it('show a widget', async () => {
    const bot = await make();
    const queue = await listen(world.max);
    const extra_data = { type: 'choices', heading: 'Lift?', choices: [] };
    const widget = { widget_type: 'zform', extra_data };
    reply = () => [200, JSON.stringify({ content: 'vote', widget_content: widget })];
    await post(world.max, bot.mention);
    const [, answer] = await messages(queue);
    expect(answer?.['submessages']).toMatchObject([{ msg_type: 'widget', content: JSON.stringify(widget) }]);
  });

  it('show no widget of more than 10,000 characters, which everybody would get', async () => {
    const bot = await make();
    const queue = await listen(world.max);
    const choices = Array.from({ length: 300 }, (_none, n) => ({ short_name: `${n}`, long_name: 'x', reply: 'y' }));
    const widget = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Lift?', choices } };
    reply = () => [200, JSON.stringify({ content: 'vote', widget_content: widget })];
    await post(world.max, bot.mention);
    const [, notice] = await messages(queue);
    expect(notice?.['content']).toContain('Widgets: widget_content is too long (limit: 10000 characters)');
    expect(notice?.['submessages']).toEqual([]);
  });

  it('are not called by bots, silent mentions, or what does not concern them', async () => {
    const bot = await make();
    const other = await make();
    const { user_id } = await world.max.post('/bots', { full_name: 'Chatter', short_name: 'chatter' });
    const chatter = world.clientOf({ id: user_id, email: 'chatter-bot@localhost', api_key_version: 1 });
    await post(chatter, bot.mention);
    await write(chatter, [bot.id], 'hello');
    await post(world.max, `@_**${bot.name}** \`${bot.mention}\``);
    await write(world.max, [world.mia.userId], bot.mention);
    expect(got).toEqual([]);
    reply = () => [200, JSON.stringify({ content: other.mention })];
    await post(world.max, bot.mention);
    expect(got).toHaveLength(1);
  });

  it('are not called once they or the message are gone', async () => {
    const before = world;
    try {
      world = await openWorld(database, { environment });
      await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'harbour' }] });
      const [first, left, last] = [await make(), await make(), await make()];
      const id = await post(world.max, first.mention);
      await post(world.max, left.mention);
      await post(world.max, last.mention);
      await world.olive.delete(`/messages/${id}`);
      await world.max.delete(`/bots/${left.id}`);
      world.server.context.jobs.start(world.server.context);
      await idle();
      expect(got.map((call) => JSON.parse(call.text).bot_email)).toEqual([last.email]);
    } finally {
      await world.close();
      world = before;
    }
  });

  it('are called up to three times more, ever later, when their server fails; then their owner is told', async () => {
    const bot = await make();
    const queue = await listen(world.max);
    reply = () => [503, 'down'];
    const id = await post(world.mia, bot.mention);
    for (const [calls, seconds] of [
      [1, 2],
      [2, 4],
      [3, 8],
    ] as const) {
      expect(got).toHaveLength(calls);
      // A part of each pause is by chance, at most its second half.
      world.clock.advance((seconds / 2 - 1) * 1000);
      world.server.context.jobs.wake();
      await idle();
      expect(got).toHaveLength(calls);
      world.clock.advance((seconds / 2 + 1) * 1000);
      world.server.context.jobs.wake();
      await idle();
    }
    expect(got).toHaveLength(4);
    world.clock.advance(100_000);
    world.server.context.jobs.wake();
    await idle();
    expect(got).toHaveLength(4);
    const [, notice, ...rest] = await messages(queue);
    expect(rest).toEqual([]);
    expect(notice).toMatchObject({
      type: 'private',
      sender_full_name: 'Notification Bot',
      content: `[A message](http://localhost:9991/#narrow/id/${id}) called the outgoing webhook of your bot @_**${bot.name}|${bot.id}**, and it answered with status 503.`,
    });
  });

  it('answer once when they fail at first', async () => {
    const bot = await make();
    const queue = await listen(world.max);
    reply = () => (got.length === 1 ? [500, ''] : [200, '{"content": "late"}']);
    await post(world.max, bot.mention);
    world.clock.advance(2000);
    world.server.context.jobs.wake();
    await idle();
    expect((await messages(queue)).map((message) => message['content'])).toEqual([bot.mention, 'late']);
  });

  it.each([
    [404, '{}', 'it answered with status 404'],
    [200, 'not JSON', 'its answer was not a JSON object'],
    [200, '[1]', 'its answer was not a JSON object'],
    [302, '', 'it answered with status 302'],
    [200, '{"content": "a\\u0000b"}', 'its answer could not be posted: Message must not contain null bytes'],
  ])('are not called again after status %i and %j', async (status, body, why) => {
    const bot = await make();
    const queue = await listen(world.max);
    reply = () => [status, body];
    await post(world.mia, bot.mention);
    world.clock.advance(100_000);
    world.server.context.jobs.wake();
    await idle();
    expect(got).toHaveLength(1);
    expect((await messages(queue)).map((message) => message['content']).at(-1)).toContain(why);
  });

  it('tell their owner in the language of the organization', async () => {
    const called = `[Eine Nachricht](http://localhost:9991/#narrow/id/`;
    const [bot, closed] = [await make(), await make({ payload_url: '"http://169.254.169.254/latest"' })];
    const slack = await make({ interface_type: 2 });
    const queue = await listen(world.max);
    reply = () => [404, ''];
    await inGerman(world, async () => {
      await post(world.max, bot.mention);
      reply = () => [200, '[1]'];
      await post(world.max, bot.mention);
      reply = () => [200, '{"content": "a\\u0000b"}'];
      await post(world.max, bot.mention);
      await post(world.max, closed.mention);
      await write(world.max, [slack.id], 'hello');
    });
    const told = (await messages(queue)).map(({ content }) => String(content)).filter((text) => text.startsWith('['));
    expect(told.map((text) => text.slice(text.lastIndexOf(': ') + 2))).toEqual([
      'er hat mit dem Status 404 geantwortet.',
      'seine Antwort war kein JSON-Objekt.',
      'Die Nachricht enthält ein ungültiges Zeichen.',
      'seine Adresse liegt nicht im öffentlichen Internet.',
      'Webhooks nach der Art von Slack kennen keine Direktnachrichten.',
    ]);
    expect(told[0]?.slice(0, called.length)).toBe(called);
    expect(told[0]).toContain(`) hat den ausgehenden Webhook deines Bots @_**${bot.name}|${bot.id}** aufgerufen: `);
  });

  it('are not called inside closed networks, and their owner alone is told', async () => {
    const bot = await make({ payload_url: '"http://169.254.169.254/latest"' });
    const [own, other] = [await listen(world.max), await listen(world.mia)];
    await write(world.mia, [bot.id], 'fetch');
    expect((await messages(own)).map((message) => message['content'])).toEqual([
      expect.stringContaining('its address is not on the public Internet'),
    ]);
    expect(await messages(other)).toMatchObject([{ content: 'fetch' }]);
  });

  it('speak like Slack where asked to (protocol/bots#outgoing-webhooks, interface 2)', async () => {
    const bot = await make({ interface_type: 2 });
    const queue = await listen(world.max);
    reply = () => [200, '{"text": "slacked"}'];
    await post(world.mia, `${bot.mention} go`);
    expect(got[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(got[0]?.text))).toMatchObject({
      token: bot.token,
      channel_name: 'harbour',
      user_id: `U${world.mia.userId}`,
      user_name: 'Mia Member',
      text: `${bot.mention} go`,
      trigger_word: 'mention',
    });
    expect((await messages(queue)).map((message) => message['content'])).toEqual([`${bot.mention} go`, 'slacked']);
    await write(world.mia, [bot.id], 'psst');
    expect((await messages(queue)).at(-1)?.['content']).toContain('Slack-like webhooks know no direct messages');
  });

  it.runIf(database === 'postgres')(
    'are called once, and answer once, when two processes serve one database',
    async () => {
      const bot = await make();
      const second = await world.anotherServer();
      second.context.jobs.start(second.context);
      const queue = await listen(world.max);
      reply = (call) => [200, JSON.stringify({ content: `done ${JSON.parse(call.text).data.split(' ').at(-1)}` })];
      const [here, there] = [world.mia, world.mia.at(second)];
      const all = Array.from({ length: 20 }, (_one, index) => index);
      await Promise.all(
        all.map((index) =>
          (index % 2 ? here : there).post('/messages', {
            type: 'channel',
            to: 'harbour',
            topic: 'race',
            content: `${bot.mention} ${index}`,
          }),
        ),
      );
      await Promise.all([idle(), second.context.jobs.idle()]);
      expect(got).toHaveLength(20);
      const answers = (await messages(queue))
        .map((message) => message['content'])
        .filter((said) => said.startsWith('done'));
      expect(answers).toHaveLength(20);
      expect(new Set(answers)).toEqual(new Set(all.map((index) => `done ${index}`)));
    },
  );
});
