import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { inGerman } from '../../../test/support/language.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const ONLY = { event_types: ['message'] };

describe.each(databases)('reports of messages on %s', (database) => {
  let world: World;
  let id: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { adam, max, mia } = world;
    const subscribe = (name: string, more: object) =>
      adam.post('/users/me/subscriptions', { subscriptions: [{ name }], ...more });
    await subscribe('birds', { principals: [max.userId, mia.userId] });
    await subscribe('moderation', { invite_only: true });
    id = (await max.post('/messages', { type: 'channel', to: 'birds', topic: 'owl', content: '``` rude' }))['id'];
  });
  afterAll(() => world.close());

  const chooseChannel = async () => {
    const { stream_id } = await world.adam.get('/get_stream_id', { stream: 'moderation' });
    await world.olive.patch('/realm', { moderation_request_channel_id: stream_id });
  };
  const refusal = async (who: World['max'], message: number, parameters: object) =>
    (await who.refused('POST', `/messages/${message}/report`, { ...parameters })).msg;

  it('takes none while there is no channel for them (protocol/reactions#reports)', async () => {
    expect(await refusal(world.mia, id, { report_type: 'spam' })).toBe(
      'Moderation request channel must be specified to enable message reporting.',
    );
  });

  it('tells the moderators, and not the person reported', async () => {
    await chooseChannel();
    const { adam, max, mia } = world;
    const queues = [await adam.register(ONLY), await max.register(ONLY), await mia.register(ONLY)] as const;
    const description = 'Not ```nice```.';
    await mia.post(`/messages/${id}/report`, { report_type: 'harassment', description });
    const [event, ...more] = await queues[0].events();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'message',
      message: {
        display_recipient: 'moderation',
        subject: 'Reports about Max Member',
        sender_full_name: 'Notification Bot',
      },
    });
    const content: string = event?.['message'].content;
    for (const part of [
      `@_**Mia Member|${mia.userId}** reported [a message](`,
      `/topic/owl/near/${id}) of @_**Max Member|${max.userId}** in #**birds>owl**.`,
      '* **Reason:** Harassment',
      `**Explanation:**\n\`\`\`\` quote\n${description}\n\`\`\`\``,
      '**Message:**\n```` quote\n``` rude\n````',
    ])
      expect(content).toContain(part);
    expect(await queues[1].events()).toEqual([]);
    expect(await queues[2].events()).toEqual([]);
  });

  it('says what a poll asks, with its answers, not the command that made it', async () => {
    await chooseChannel();
    const { adam, max, mia } = world;
    const content = '/poll Who is ugly?\nAdam';
    const { id: poll } = await max.post('/messages', { type: 'stream', to: 'birds', topic: 'owl', content });
    const queue = await adam.register(ONLY);
    await mia.post(`/messages/${poll}/report`, { report_type: 'harassment' });
    const told: string = (await queue.events())[0]?.['message'].content;
    expect(told).toContain('**Message:**\n``` quote\nPoll: Who is ugly?\nAdam\n```');
  });

  it('tells them in the language of the organization', async () => {
    await chooseChannel();
    const { adam, max, mia } = world;
    const { id: direct } = await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'psst' });
    const queue = await adam.register(ONLY);
    await inGerman(world, async () => {
      await mia.post(`/messages/${id}/report`, { report_type: 'harassment', description: 'Nicht nett.' });
      await mia.post(`/messages/${direct}/report`, { report_type: 'spam' });
    });
    const [inChannel, amongDirect] = (await queue.events()).map(({ message }) => message);
    expect(inChannel.subject).toBe('Meldungen über Max Member');
    expect(inChannel.content).toMatch(
      /^@_\*\*Mia Member\|\d+\*\* hat \[eine Nachricht\]\(http\S+\) von @_\*\*Max Member\|\d+\*\* in #\*\*birds>owl\*\* gemeldet\.\n\* \*\*Grund:\*\* Belästigung\n\n\*\*Erklärung:\*\*\n``` quote\nNicht nett\.\n```\n\n\*\*Nachricht:\*\*\n/,
    );
    expect(amongDirect.content).toContain('unter den Direktnachrichten gemeldet.\n* **Grund:** Spam');
  });

  it('takes direct messages of those who have them', async () => {
    const { adam, max, mia } = world;
    const { id: direct } = await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'psst' });
    const queue = await adam.register(ONLY);
    await mia.post(`/messages/${direct}/report`, { report_type: 'other', description: 'Whispers' });
    const content: string = (await queue.events())[0]?.['message'].content;
    expect(content).toContain('among direct messages');
    expect(content).toContain('psst');
  });

  it.each([
    [{}, "Missing 'report_type' argument"],
    [{ report_type: 'boring' }, 'Invalid report_type'],
    [{ report_type: 'spam', description: 'x'.repeat(1001) }, 'description is too long (limit: 1000 characters)'],
    [{ report_type: 'other', description: ' ' }, 'An explanation is required.'],
  ])('refuses %j', async (parameters, msg) => {
    expect(await refusal(world.mia, id, parameters)).toBe(msg);
  });

  it('knows nothing of messages that the caller cannot read', async () => {
    const { adam, max, mia } = world;
    const { id: secret } = await adam.post('/messages', { type: 'direct', to: [max.userId], content: 'secret' });
    const queue = await adam.register(ONLY);
    for (const message of [secret, 999_999])
      expect(await refusal(mia, message, { report_type: 'spam' })).toBe('Invalid message(s)');
    expect(await queue.events()).toEqual([]);
    await max.post(`/messages/${secret}/report`, { report_type: 'spam' });
    expect(await queue.events()).toMatchObject([{ type: 'message' }]);
  });
});
