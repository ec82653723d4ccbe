import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { inGerman } from '../../../test/support/language.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const MINUTE_MS = 60_000;

describe.each(databases)('reminders on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    world.server.context.jobs.start(world.server.context);
  });
  afterAll(() => world.close());

  const later = (seconds = 60) => world.clock.now() + seconds;
  const write = async (from: Client, to: Client, content: string): Promise<number> =>
    (await from.post('/messages', { type: 'direct', to: [to.userId], content }))['id'];
  const remind = async (client: Client, message_id: number, fields: object = {}): Promise<number> => {
    const scheduled_delivery_timestamp = later();
    const reply = await client.post('/reminders', { message_id, scheduled_delivery_timestamp, ...fields });
    return reply['reminder_id'];
  };
  const listed = async (client: Client) => (await client.get('/reminders'))['reminders'];
  const pass = async (ms: number) => {
    world.clock.advance(ms);
    await world.server.context.jobs.idle();
  };

  it('are kept, listed and thrown away by their owner, who alone hears of it (protocol/saved#reminders)', async () => {
    const { max, mia } = world;
    const message_id = await write(mia, max, 'water the *plants*');
    let ids: number[] = [];
    const [own, other] = await expectSync([max, mia], async () => {
      ids = [await remind(max, message_id, { scheduled_delivery_timestamp: later(90) }), await remind(max, message_id)];
      await max.delete(`/reminders/${ids[1]}`);
    });
    const reminder = {
      reminder_id: ids[0],
      type: 'private',
      to: [max.userId],
      scheduled_delivery_timestamp: later(90),
      failed: false,
      reminder_target_message_id: message_id,
    };
    expect(own).toMatchObject([
      { type: 'reminders', op: 'add', reminders: [reminder] },
      { type: 'reminders', op: 'add', reminders: [{ reminder_id: ids[1] }] },
      { type: 'reminders', op: 'remove', reminder_id: ids[1] },
    ]);
    expect(other).toEqual([]);
    const [kept] = await listed(max);
    expect(kept).toMatchObject(reminder);
    expect(kept.content).toContain('water the *plants*');
    expect(kept.rendered_content).toContain('<em>plants</em>');
    expect(await listed(mia)).toEqual([]);
    await max.delete(`/reminders/${ids[0]}`);
  });

  it('are refused for what the caller may not read, in the past, and with long notes', async () => {
    const { max, mia, gus } = world;
    const message_id = await write(mia, max, 'a secret');
    const refused = async (client: Client, fields: object) =>
      (await client.refused('POST', '/reminders', { message_id, scheduled_delivery_timestamp: later(), ...fields }))
        .msg;
    for (const [client, id] of [
      [gus, message_id],
      [max, 999_999],
    ] as const)
      expect(await refused(client, { message_id: id })).toBe('Invalid message(s)');
    expect(await refused(max, { scheduled_delivery_timestamp: later(0) })).toBe(
      'Scheduled delivery time must be in the future.',
    );
    expect(await refused(max, { note: 'x'.repeat(1001) })).toBe('note is too long (limit: 1000 characters)');
    const id = await remind(max, message_id);
    for (const [client, unknown] of [
      [mia, id],
      [max, 999_999],
    ] as const)
      expect(await client.refused('DELETE', `/reminders/${unknown}`)).toMatchObject({
        status: 404,
        code: 'BAD_REQUEST',
        msg: 'Reminder does not exist',
      });
    await max.delete(`/reminders/${id}`);
  });

  it('come from the notification bot with a link, the message and the note, once', async () => {
    const { max, mia } = world;
    const message_id = await write(mia, max, 'call `me`');
    const id = await remind(max, message_id, { note: '  before noon ' });
    const own = await max.register({ event_types: ['message', 'reminders'] });
    const other = await mia.register({ event_types: ['message', 'reminders'] });
    await pass(59_000);
    expect(await own.events()).toEqual([]);
    await pass(1_000);
    const [sent, removed, ...rest] = await own.events();
    expect(sent?.['message']).toMatchObject({ type: 'private', sender_full_name: 'Notification Bot' });
    expect(sent?.['message'].content).toBe(
      `You asked to be reminded of this [message](http://localhost:9991/#narrow/dm/${max.userId},${mia.userId}/near/${message_id}) by @_**Mia Member|${mia.userId}**:\n\n` +
        '``` quote\ncall `me`\n```\n\nNote:\n\n``` quote\nbefore noon\n```',
    );
    expect(removed).toMatchObject({ type: 'reminders', op: 'remove', reminder_id: id });
    expect(rest).toEqual([]);
    expect(await other.events()).toEqual([]);
    expect(await listed(max)).toEqual([]);
    expect((await max.refused('DELETE', `/reminders/${id}`)).status).toBe(404);
    await pass(MINUTE_MS);
    expect(await own.events()).toEqual([]);
  });

  it('say what a poll asks and a to-do list is about, not the commands that made them', async () => {
    const { max, mia } = world;
    await remind(max, await write(mia, max, '/poll Which bird?\nRook\nOwl'));
    await remind(max, await write(mia, max, '/todo'));
    await remind(max, await write(mia, max, '/pol no command'));
    expect((await listed(max))[0].content).toContain('``` quote\nPoll: Which bird?\nRook\nOwl\n```');
    const own = await max.register({ event_types: ['message'] });
    await pass(MINUTE_MS);
    const told = (await own.events()).map(({ message }) => String(message.content).split('\n').slice(2).join('|'));
    expect(told.toSorted()).toEqual([
      '``` quote|/pol no command|```',
      '``` quote|Poll: Which bird?|Rook|Owl|```',
      '``` quote|To-do list|```',
    ]);
  });

  it('speak the language of the organization, also of what is gone', async () => {
    const { max, mia } = world;
    const kept = await write(mia, max, 'x'.repeat(9000));
    const gone = await write(max, max, 'burn this');
    await remind(max, kept);
    const id = await remind(max, gone, { note: 'fire' });
    await max.delete(`/messages/${gone}`);
    const own = await max.register({ event_types: ['message'] });
    const shown = await inGerman(world, async () => {
      const found = (await listed(max)).find(({ reminder_id }: { reminder_id: number }) => reminder_id === id);
      await pass(MINUTE_MS);
      return found;
    });
    const text = 'Du wolltest an eine Nachricht erinnert werden, die du nicht mehr lesen kannst.';
    expect(shown.content).toBe(`${text}\n\nNotiz:\n\n\`\`\` quote\nfire\n\`\`\``);
    expect(shown.rendered_content).toContain(`<p>${text}</p>\n<p>Notiz:</p>`);
    const told = (await own.events()).map(({ message }) => String(message.content));
    expect(told.toSorted()).toEqual([
      expect.stringMatching(
        /^Du wolltest an diese \[Nachricht\]\(http\S+\) von @_\*\*Mia Member\|\d+\*\* erinnert werden:\n\n``` quote\nx+\n\[Nachricht gekürzt\]\n```$/,
      ),
      shown.content,
    ]);
  });

  it('show what a message says only to those who may still read it (security#holes, row 26)', async () => {
    const { max, mia } = world;
    const made = { name: 'vault', invite_only: true, subscribers: [max.userId, mia.userId] };
    await mia.post('/channels/create', made);
    const { id } = await mia.post('/messages', { type: 'stream', to: 'vault', topic: 't', content: 'the combination' });
    const told = await remind(max, id, { note: 'open <it>' });
    const shown = async () =>
      [...(await listed(max)), ...(await max.register()).state['reminders']].filter((one) => one.reminder_id === told);
    expect(JSON.stringify(await shown()).split('the combination')).toHaveLength(5);
    await mia.delete('/users/me/subscriptions', { subscriptions: ['vault'], principals: [max.userId] });
    for (const { content, rendered_content, ...rest } of await shown()) {
      expect(rest).toMatchObject({ reminder_target_message_id: id, to: [max.userId] });
      expect([content, rendered_content].join()).not.toContain('combination');
      expect(content).toContain('no longer there for you.\n\nNote:');
      expect(rendered_content).toContain('<blockquote>\n<p>open &lt;it&gt;</p>\n</blockquote>');
    }
    expect(await shown()).toHaveLength(2);
    await max.delete(`/reminders/${told}`);
  });

  it('of messages that are gone repeat the note alone', async () => {
    const { max } = world;
    const message_id = await write(max, max, 'burn this');
    await remind(max, message_id, { note: 'the fire' });
    await world.olive.post('/channels/create', { name: 'unrelated', subscribers: [max.userId] });
    await max.delete(`/messages/${message_id}`);
    await world.server.context.jobs.idle();
    const own = await max.register({ event_types: ['message'] });
    await pass(MINUTE_MS);
    const [sent] = await own.events();
    expect(sent?.['message'].content).toContain('the fire');
    expect(sent?.['message'].content).not.toContain('burn this');
  });
});

describe.each(databases.filter((name) => name === 'postgres'))('two processes on %s', (database) => {
  it('remind of each message once', async () => {
    const world = await openWorld(database);
    const { max, mia, clock } = world;
    const servers = [world.server, await world.anotherServer()];
    for (const { context } of servers) context.jobs.start(context);
    const { id: message_id } = await mia.post('/messages', {
      type: 'direct',
      to: [max.userId],
      content: 'think of it',
    });
    const notes = Array.from({ length: 25 }, (_, index) => `note ${index}`);
    const scheduled_delivery_timestamp = clock.now() + 60;
    for (const note of notes) await max.post('/reminders', { message_id, scheduled_delivery_timestamp, note });
    const queue = await max.register({ event_types: ['message', 'reminders'] });
    clock.advance(60_000);
    for (let rounds = 0; rounds < 2; rounds++) {
      for (const { context } of servers) context.jobs.wake();
      await Promise.all(servers.map(({ context }) => context.jobs.idle()));
    }
    // Longer than a lease: nothing is left to be done again.
    clock.advance(150_000);
    for (const { context } of servers) context.jobs.wake();
    await Promise.all(servers.map(({ context }) => context.jobs.idle()));
    const events = await queue.events();
    const sent = events.flatMap(({ message }) => /note \d+/.exec(message?.content ?? '')?.[0] ?? []);
    expect(sent.toSorted()).toEqual(notes.toSorted());
    expect(events.filter(({ type }) => type === 'reminders')).toHaveLength(notes.length);
    expect((await max.get('/reminders'))['reminders']).toEqual([]);
    await world.close();
  });
});
