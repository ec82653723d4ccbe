import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client, Parameters } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { inGerman } from '../../../test/support/language.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('what bots do unless told otherwise, on %s', (database) => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await openWorld(database);
    world.server.context.jobs.start(world.server.context);
    const { max, mia } = world;
    for (const name of ['harbour', 'tower']) await max.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    await mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'attic' }], invite_only: true });
  });
  afterAll(() => world.close());

  async function make(values: Parameters = {}): Promise<Client> {
    const short_name = `worker${++made}`;
    const { user_id } = await world.max.post('/bots', { full_name: `Worker ${made}`, short_name, ...values });
    return world.clientOf({ id: user_id, email: `${short_name}-bot@localhost`, api_key_version: 1 });
  }
  const toChannel = (to: string | undefined) => ({ type: 'channel', to, topic: 'news', content: 'hello' });
  /** What the notification bot has told Max since the queue was registered. */
  async function told(queue: Awaited<ReturnType<Client['register']>>): Promise<string[]> {
    await world.server.context.jobs.idle();
    const events = await queue.events();
    return events.filter((event) => event['type'] === 'message').map((event) => event['message'].content);
  }

  it('they send to their channel when they name none (protocol/messages#addresses)', async () => {
    const bot = await make({ default_sending_stream: 'harbour' });
    const { id } = await bot.post('/messages', toChannel(undefined));
    expect((await world.max.get(`/messages/${id}`))['message']).toMatchObject({ display_recipient: 'harbour' });
    expect((await (await make()).refused('POST', '/messages', toChannel(undefined))).msg).toBe('Missing channel');
    expect((await bot.refused('POST', '/messages', { type: 'direct', content: 'x' })).msg).toBe(
      'Message must have recipients',
    );
    expect((await world.max.refused('POST', '/messages', toChannel(undefined))).msg).toBe('Missing channel');
  });

  it('their queues listen to their channel, or to all public ones (protocol/register#parameters)', async () => {
    const { max } = world;
    const narrow = await make({ default_events_register_stream: 'harbour', default_all_public_streams: true });
    const wide = await make({ default_all_public_streams: true });
    const plain = await make();
    const types = { event_types: ['message'] };
    const queues = await Promise.all([
      narrow.register(types),
      wide.register(types),
      wide.register({ ...types, all_public_streams: false }),
      narrow.register({ ...types, narrow: [['topic', 'news']] }),
      plain.register(types),
    ]);
    for (const to of ['harbour', 'tower']) await max.post('/messages', { ...toChannel(to), topic: 'weather' });
    const received = await Promise.all(
      queues.map(async (queue) => (await queue.events()).map((event) => event['message'].display_recipient)),
    );
    expect(received).toEqual([['harbour'], ['harbour', 'tower'], [], [], []]);
  });

  it('a mentioned bot receives raw Markdown, also where it is not subscribed (protocol/clients#messages-read)', async () => {
    const bot = await make();
    const queue = await bot.register({ event_types: ['message'] });
    const content = `@**Worker ${made}** help`;
    await world.max.post('/messages', { ...toChannel('harbour'), content });
    expect(await queue.events()).toMatchObject([{ type: 'message', message: { content }, flags: ['mentioned'] }]);
  });

  it('tell their owner of a channel that does not exist, once in five minutes (protocol/messages#addresses)', async () => {
    const { max, mia } = world;
    const bot = await make();
    const [own, other] = [
      await max.register({ event_types: ['message'] }),
      await mia.register({ event_types: ['message'], idle_queue_timeout: 5000 }),
    ];
    const refusal = await bot.refused('POST', '/messages', toChannel('no`where @**all**'));
    expect(refusal).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
    await bot.refused('POST', '/messages', toChannel('987654'));
    const email = `worker${made}-bot@localhost`;
    expect(await told(own)).toEqual([
      `Your bot \`${email}\` sent a message to the channel \`\`no\`where @**all**\`\`, which does not exist.`,
    ]);
    world.clock.advance(301_000);
    await bot.refused('POST', '/messages', toChannel('987654'));
    expect(await told(own)).toEqual([
      `Your bot \`${email}\` sent a message to the channel with the ID 987654, which does not exist.`,
    ]);
    world.clock.advance(301_000);
    await Promise.all([1, 2].map(() => bot.refused('POST', '/messages', toChannel('attic'))));
    expect(await told(own)).toHaveLength(1);
    await max.refused('POST', '/messages', toChannel('nowhere'));
    expect(await told(own)).toEqual([]);
    expect(await told(other)).toEqual([]);
  });

  it('tell their owner in the language of the organization', async () => {
    const { max } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'wreck' }] });
    await max.delete('/users/me/subscriptions', { subscriptions: ['wreck'] });
    const own = await max.register({ event_types: ['message'] });
    const said: string[] = [];
    await inGerman(world, async () => {
      for (const to of ['nirgends', '987654', 'wreck']) {
        await (await make()).request('POST', '/messages', toChannel(to));
        said.push(...(await told(own)).filter((text) => text !== 'hello'));
      }
    });
    const bot = (back: number) => `Dein Bot \`worker${made - back}-bot@localhost\` hat eine Nachricht an den Kanal`;
    expect(said).toEqual([
      `${bot(2)} \`nirgends\` gesendet, den es nicht gibt.`,
      `${bot(1)} mit der ID 987654 gesendet, den es nicht gibt.`,
      `${bot(0)} #**wreck** gesendet, den niemand abonniert hat.`,
    ]);
  });

  it('tell their owner of a channel without subscribers', async () => {
    const { max } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'ruin' }] });
    await max.delete('/users/me/subscriptions', { subscriptions: ['ruin'] });
    const own = await max.register({ event_types: ['message'] });
    const bot = await make();
    await bot.post('/messages', toChannel('harbour'));
    const seen: Body = await bot.post('/messages', toChannel('ruin'));
    expect(seen['id']).toBeGreaterThan(0);
    expect((await told(own)).filter((text) => text !== 'hello')).toEqual([
      `Your bot \`worker${made}-bot@localhost\` sent a message to the channel #**ruin**, which has no subscribers.`,
    ]);
  });
});
