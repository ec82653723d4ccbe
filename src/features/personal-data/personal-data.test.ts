import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asId, type MessageId, type UserId } from '#kernel/ids';
import { tables } from '#kernel/store';
import { zipEntries } from '../../commands/archives/zip.ts';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { plain } from '../../../test/support/pictures.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { handedOut, NOT_HANDED_OUT } from './what.ts';
import { streamZip } from './zip.ts';

describe.each(databases)('the data of a person on %s', (database) => {
  let world: World;
  let folder: string;
  beforeEach(async () => {
    world = await openWorld(database, { rateLimits: 'on' });
    folder = mkdtempSync(join(tmpdir(), 'roost-personal-'));
  });
  afterEach(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  const download = async (who: Client) => {
    const { statusCode, headers, rawPayload } = await who.fetch('/personal_data');
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/zip']);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const file = join(folder, 'data.zip');
    writeFileSync(file, rawPayload);
    const found = new Map<string, string>();
    for await (const { path, content } of zipEntries(file, rawPayload.length)) {
      let text = '';
      for await (const piece of content) text += Buffer.from(piece).toString();
      found.set(path.join('/'), text);
    }
    return found;
  };
  const messagesIn = (found: ReadonlyMap<string, string>): Body[] =>
    [...found].filter(([name]) => /^messages\/.*json$/.test(name)).flatMap(([, text]) => JSON.parse(text) as Body[]);

  it('are handed to them as a zip of JSON, pages and files (protocol/organizations#personal-data)', async () => {
    const { max, mia, olive } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nests', description: '' }] });
    await mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'nests' }] });
    const file = await max.upload('eggs.txt', 'three eggs');
    await max.upload('hidden.txt', 'in no message');
    const said = await max.post('/messages', {
      type: 'channel',
      to: 'nests',
      topic: 'eggs',
      content: `**mine** <b>&</b> [eggs](${file['url']})`,
    });
    await mia.post('/messages', { type: 'channel', to: 'nests', topic: 'eggs', content: 'not mine' });
    await mia.post('/messages', { type: 'direct', to: [max.userId], content: 'psst' });
    await mia.post('/messages', { type: 'direct', to: [olive.userId], content: 'behind his back' });
    await max.post('/users/me/alert_words', { alert_words: ['heron'] });
    await mia.post('/users/me/alert_words', { alert_words: ['wren'] });
    await max.post('/drafts', {
      drafts: [{ type: '', to: [], topic: '', content: 'unsent', timestamp: 1_700_000_000 }],
    });
    await max.post(`/messages/${said['id']}/reactions`, { emoji_name: 'tada' });
    const found = await download(max);
    expect(messagesIn(found)).toMatchObject([
      { id: said['id'], sender: 'Max Member', place: '#nests > eggs', content: expect.stringContaining('**mine**') },
      { content: 'psst', place: 'direct messages with Mia Member', participants: [max.userId, mia.userId] },
    ]);
    const account = JSON.parse(found.get('account.json') ?? '') as Body;
    expect(Object.keys(account)).toEqual(expect.arrayContaining(Object.keys(handedOut())));
    expect(account['user']).toMatchObject([{ id: max.userId, email: max.email }]);
    expect(account['alert_word']).toMatchObject([{ word: 'heron' }]);
    expect(account['draft']).toMatchObject([{ content: 'unsent' }]);
    expect(account['reaction']).toMatchObject([{ emoji_name: 'tada' }]);
    expect(account['attachment']).toHaveLength(2);
    expect(found.get(`files/${file['url'].slice('/user_uploads/'.length)}`)).toBe('three eggs');
    const page = found.get('messages/000001.html') ?? '';
    expect(page).toContain(`<strong>mine</strong> &lt;b&gt;&amp;&lt;/b&gt; <a href="../files/`);
    expect(page).toContain("default-src 'none'");
    expect(found.get('account.html')).toContain('heron');
    expect(found.get('index.html')).toContain('messages/000001.html');
    const all = [...found.values()].join('\n');
    for (const foreign of ['not mine', 'behind his back', 'wren', max.apiKey]) expect(all).not.toContain(foreign);
    expect(all).not.toMatch(/password_hash|token_hash|api_key|key_seed|sealed/);
  });

  it('leave out what they may no longer read, and pictures lead to the file itself', async () => {
    const { max, adam, server } = world;
    server.context.jobs.start(server.context);
    await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'closed' }],
      principals: [adam.userId, max.userId],
      invite_only: true,
    });
    await max.post('/messages', { type: 'channel', to: 'closed', topic: 'x', content: 'said inside' });
    const picture = await max.upload('a.png', await plain(200, 200).png().toBuffer(), 'image/png');
    await server.context.jobs.idle();
    await max.post('/messages', { type: 'direct', to: [max.userId], content: `[a](${picture['url']})` });
    await server.context.jobs.idle();
    const before = await download(max);
    expect(messagesIn(before)).toMatchObject([{ content: 'said inside' }, {}]);
    expect(before.get('messages/000002.html')).toMatch(/<img[^>]* src="\.\.\/files\//);
    await adam.delete('/users/me/subscriptions', { subscriptions: ['closed'], principals: [max.userId] });
    expect(messagesIn(await download(max)).map(({ content }) => content)).not.toContain('said inside');
  });

  it('leave out what others wrote before they changed it, as far as the organization hides that (protocol/editing#history)', async () => {
    const { max, adam, olive } = world;
    const said = await adam.post('/messages', { type: 'direct', to: [max.userId], content: 'first thought' });
    await adam.patch(`/messages/${said['id']}`, { content: 'second thought' });
    const own = await max.post('/messages', { type: 'direct', to: [adam.userId], content: 'my first' });
    await max.patch(`/messages/${own['id']}`, { content: 'my second' });
    const texts = async () => JSON.stringify(messagesIn(await download(max)));
    expect(await texts()).toContain('first thought');
    for (const message_edit_history_visibility_policy of ['moves', 'none']) {
      await olive.patch('/realm', { message_edit_history_visibility_policy });
      const handedOut = await texts();
      expect(handedOut).toContain('second thought');
      expect(handedOut).toContain('my first');
      expect(handedOut).not.toContain('first thought');
    }
  });

  it('name no channel that they made and may not know of any more, as others changed it since', async () => {
    const { max, adam } = world;
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'closed', description: 'his' }],
      principals: [adam.userId, max.userId],
      invite_only: true,
    });
    const { stream_id: id } = await adam.get('/get_stream_id', { stream: 'closed' });
    await max.post('/user_topics', { stream_id: id, topic: 'his topic', visibility_policy: 3 });
    const rowsOf = async (table: string) =>
      (JSON.parse((await download(max)).get('account.json') ?? '') as Body)[table];
    expect(await rowsOf('channel')).toMatchObject([{ name: 'closed' }]);
    expect(await rowsOf('user_topic')).toMatchObject([{ topic: 'his topic' }]);
    await adam.delete('/users/me/subscriptions', { subscriptions: ['closed'], principals: [max.userId] });
    const group = { new: { direct_members: [adam.userId], direct_subgroups: [] } };
    await adam.patch(`/streams/${id}`, { new_name: 'secret', can_administer_channel_group: group });
    expect([await rowsOf('channel'), await rowsOf('user_topic')]).toEqual([[], []]);
  });

  it('go page by page, each message once', async () => {
    const { max, mia } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nests' }] });
    const { store } = world.server.context;
    const { id } = await max.post('/messages', { type: 'channel', to: 'nests', topic: 't', content: 'first' });
    await mia.post('/messages', { type: 'direct', to: [max.userId], content: 'direct' });
    await store.write(async (tx) => {
      const row = await tx.db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const { id: _, topic_links, edit_history: __, ...rest } = row;
      const copy = { ...rest, topic_links: JSON.stringify(topic_links), edit_history: null };
      for (let chunk = 0; chunk < 6; chunk++)
        await tx.db
          .insertInto('message')
          .values(Array.from({ length: 200 }, () => copy))
          .execute();
    });
    const messages = messagesIn(await download(max));
    expect(messages).toHaveLength(1202);
    expect(new Set(messages.map((row) => row['id'])).size).toBe(1202);
  });

  it('have every flag of a message at whose flags a page ends', async () => {
    const { max, realm, server } = world;
    const rows = Array.from({ length: 501 }, (_, index) => ({
      realm_id: realm.id,
      user_id: asId<UserId>(max.userId),
      flag: index % 2 === 0 ? ('starred' as const) : ('mentioned' as const),
      message_id: asId<MessageId>(1 + Math.ceil(index / 2)),
    }));
    await server.context.store.in(realm).write((tx) => tx.db.insertInto('message_flag').values(rows).execute());
    const account = JSON.parse((await download(max)).get('account.json') ?? '') as Body;
    expect(account['message_flag']).toHaveLength(501);
  });

  it('are for people who are logged in, five times an hour', async () => {
    const { max, mia, spectator } = world;
    const { user_id, api_key } = await max.post('/bots', { full_name: 'Beep', short_name: 'beep' });
    expect(user_id).toBeGreaterThan(0);
    const bot = await spectator.fetch('/personal_data', {
      headers: { authorization: `Basic ${Buffer.from(`beep-bot@localhost:${api_key}`).toString('base64')}` },
    });
    expect(bot.statusCode).toBeGreaterThanOrEqual(400);
    const anonymous = await spectator.fetch('/personal_data');
    expect([anonymous.statusCode, anonymous.headers['location']]).toEqual([302, '/login/?next=%2Fpersonal_data']);
    for (let time = 0; time < 5; time++) expect((await max.fetch('/personal_data')).statusCode).toBe(200);
    expect((await max.fetch('/personal_data')).statusCode).toBe(429);
    expect((await mia.fetch('/personal_data')).statusCode).toBe(200);
  });

  it('are downloaded once at a time by one person', async () => {
    const { max, mia } = world;
    const at = await Promise.all([mia, max, max].map((who) => who.fetch('/personal_data')));
    const [other, ...both] = at.map(({ statusCode }) => statusCode);
    // Which of both comes first is not said.
    expect([other, new Set(both)]).toEqual([200, new Set([200, 503])]);
    expect((await max.fetch('/personal_data')).statusCode).toBe(200);
  });

  it('go in pages of half a megabyte, whatever the messages are', async () => {
    const { max, realm, server } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nests' }] });
    const to = { type: 'channel', to: 'nests', topic: 't' };
    for (let sent = 0; sent < 9; sent++) await max.post('/messages', { ...to, content: `egg ${sent}` });
    const former = [
      { user_id: max.userId, timestamp: 1, prev_content: 'x'.repeat(200_000), prev_rendered_content: '' },
    ];
    await server.context.store.in(realm).write((tx) =>
      tx.db
        .updateTable('message')
        .set({ edit_history: JSON.stringify(former) })
        .where('realm_id', '=', realm.id)
        .where('topic', '=', 't')
        .execute(),
    );
    const found = await download(max);
    const pages = [...found].filter(([name]) => /^messages\/.*json$/.test(name)).map(([, text]) => text.length);
    expect(messagesIn(found).filter(({ topic }) => topic === 't')).toHaveLength(9);
    expect(Math.max(...pages)).toBeLessThan(500_000);
  });

  it('break off for a person who is out meanwhile', async () => {
    const { clock, max, olive, server } = world;
    for (const letter of 'abcd') await max.upload(`${letter}.bin`, randomBytes(5_000_000));
    const port = await server.listener.listen(0, '127.0.0.1');
    /** Reads all after `act`, which happens when the answer has begun; the number of bytes, or undefined if cut off. */
    const readAfter = async (act: () => unknown) => {
      const response = await fetch(`http://127.0.0.1:${port}/personal_data`, { headers: authorized(max) });
      await act();
      clock.advance(1000);
      return response.arrayBuffer().then(
        ({ byteLength }) => byteLength,
        () => undefined,
      );
    };
    expect(await readAfter(() => undefined)).toBeGreaterThan(20_000_000);
    expect(await readAfter(() => olive.delete(`/users/${max.userId}`))).toBeUndefined();
  });
});

const authorized = ({ authorization }: Client) => ({ authorization });

describe('an archive that is made while it is read', () => {
  it('ends when its reader goes away', async () => {
    let isEnded = false;
    let given = 0;
    async function* endless() {
      try {
        for (;;) {
          given++;
          yield Buffer.alloc(65_536, String(Math.random()));
        }
      } finally {
        isEnded = true;
      }
    }
    const failed = new Promise<unknown>((resolve) => {
      void streamZip(1, (archive) => archive.write('endless', endless()).catch(resolve)).then(async ({ stream }) => {
        await new Promise((first) => {
          stream.once('data', first);
        });
        stream.destroy();
      });
    });
    expect(String(await failed)).toMatch(/aborted|reads the archive|Premature/i);
    while (!isEnded) await new Promise(setImmediate);
    expect(given).toBeLessThan(2000);
  });

  it('is cut off, not ended, when making it fails', async () => {
    const { stream } = await streamZip(1, async (archive) => {
      await archive.write(
        'whole',
        (async function* () {
          yield Buffer.from('whole');
        })(),
      );
      throw new Error('the database is away');
    });
    await expect(stream.toArray()).rejects.toThrow('the database is away');
  });

  it('is broken off by a file that cannot be read', async () => {
    const { stream } = await streamZip(1, (archive) =>
      archive.write(
        'broken',
        (async function* () {
          yield Buffer.from('begun');
          throw new Error('the disk is broken');
        })(),
      ),
    );
    await expect(stream.toArray()).rejects.toThrow('the disk is broken');
  });
});

it('every table that names a person says whether it is handed out (protocol/organizations#personal-data)', () => {
  const naming = tables().filter(({ columns }) =>
    Object.keys(columns).some((name) =>
      /^(user|owner|author|creator|sender|inviter|acting_user|bot_owner)_id$/.test(name),
    ),
  );
  const given = handedOut();
  const unknown = naming.map(({ name }) => name).filter((name) => !(name in given) && !(name in NOT_HANDED_OUT));
  expect(unknown).toEqual([]);
  expect(naming.length).toBeGreaterThan(30);
  for (const { name, columns } of tables())
    for (const { without = [] } of given[name] ?? [])
      for (const column of Object.keys(columns).filter((one) =>
        /hash|secret|sealed|seed|^token$|key_version/.test(one),
      ))
        expect([name, column, without.includes(column)]).toEqual([name, column, true]);
});
