import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArchiveFiles, importArchive, slackSource } from '#features/imports';
import { listUsers } from '#features/users';
import { listRealms } from '#features/realms';
import { type Body, Client } from '../support/client.ts';
import { databasesInTurn } from '../support/databases.ts';
import { type EmptyServer, openEmptyServer } from '../support/empty-server.ts';
import { apiKeyFor } from '#kernel/auth';
import { openScratch } from '../../src/commands/archives/scratch.ts';

/** Addresses of files hold what nobody can guess. */
const withoutToken = (content: string) => content.replaceAll(/\/user_uploads\/[^)]+/g, '/user_uploads/…');

/** An export as Slack describes it, with people we made up. */
const FILES: Readonly<Record<string, unknown>> = {
  'users.json': [
    {
      id: 'U1',
      name: 'wren',
      is_owner: true,
      tz: 'Europe/Berlin',
      profile: { real_name: 'Wanda Wren', email: 'wanda@birds.test' },
    },
    { id: 'U2', name: 'finch', real_name: 'Felix `Finch`', profile: { email: 'felix@birds.test' } },
    { id: 'U3', name: 'gone', deleted: true, profile: { real_name: 'Gina Gone' } },
    { id: 'U4', name: 'builder', is_bot: true, profile: { real_name: 'Build Bot', bot_id: 'B4' } },
  ],
  'channels.json': [
    {
      id: 'C1',
      name: 'general',
      created: 1_700_000_000,
      creator: 'U1',
      is_general: true,
      members: ['U1', 'U2'],
      purpose: { value: 'All of us' },
    },
    // Exports of the first years have times as text.
    { id: 'C2', name: 'nests', created: '1700000000', creator: 'U2', is_archived: true, members: ['U2', 'U9'] },
  ],
  'groups.json': [{ id: 'G1', name: 'eggs', created: 1_700_000_000, creator: 'U1', members: ['U1'] }],
  'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
  'general/2024-05-02.json': [
    {
      type: 'message',
      user: 'U2',
      ts: '1714636800.000200',
      thread_ts: '1714550400.000100',
      text: 'On the _second_ day, <@U1>',
    },
  ],
  'general/2024-05-01.json': [
    {
      type: 'message',
      subtype: 'channel_join',
      user: 'U1',
      ts: '1714550000.000100',
      text: '<@U1> has joined the channel',
    },
    {
      type: 'message',
      user: 'U1',
      ts: '1714550400.000100',
      thread_ts: '1714550400.000100',
      text: '*Where* do we breed? See <#C2|nests> &amp; <https://example.org/a|the map>',
      reactions: [
        { name: 'tada', users: ['U2', 'U9'], count: 2 },
        { name: 'no-such-emoji', users: ['U2'], count: 1 },
      ],
    },
    {
      type: 'message',
      bot_id: 'B4',
      ts: '1714550500.000100',
      text: '`a *b* <c>` ~old~ <!channel>',
      edited: { user: 'U4', ts: '1714550600.0' },
    },
    {
      type: 'message',
      bot_id: 'B9',
      ts: '1714550700.000100',
      text: '',
      files: [{ name: 'egg.png', permalink: 'https://birds.test/egg.png' }],
    },
    {
      type: 'message',
      subtype: 'bot_message',
      bot_id: 'B4',
      ts: '1714550800.000100',
      text: '',
      attachments: [
        {
          pretext: '*1* new egg',
          title: 'egg 7',
          title_link: 'https://birds.test/7',
          text: 'laid by <@U2>',
          fields: [{ title: 'weight', value: 11, short: true }],
          fallback: 'not read',
        },
        { fallback: 'a picture of <https://birds.test/8|egg 8>' },
      ],
    },
    {
      type: 'message',
      user: 'U1',
      ts: '1714550900.000100',
      text: '<https://birds.test/7>',
      attachments: [{ from_url: 'https://birds.test/7', title: 'Egg 7', text: 'what the page says' }],
    },
    {
      type: 'message',
      subtype: 'file_share',
      user: 'U1',
      ts: '1714551000.000100',
      text: '<@U1> uploaded a file: <https://birds.test/n|notes>',
      file: { id: 'F1', name: 'notes.txt', mimetype: 'text/plain' },
    },
  ],
  '__uploads/F1/notes.txt': 'three eggs',
  'eggs/2024-05-01.json': [{ type: 'message', user: 'U1', ts: '1714550450.000100', text: 'three' }],
  'D1/2024-05-01.json': [{ type: 'message', user: 'U2', ts: '1714550460.000100', text: 'psst' }],
};

async function* oneText(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const files: ArchiveFiles = {
  open: (path) => Promise.resolve(path in FILES ? oneText(String(FILES[path])) : undefined),
  has: (path) => Promise.resolve(path in FILES),
  part: () => Promise.resolve(new Uint8Array()),
  scratch: openScratch,
  json: (path: string) => Promise.resolve(FILES[path]),
  list: (folder: string) =>
    Promise.resolve(
      Object.keys(FILES).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [])),
    ),
};

describe.each(databasesInTurn(import.meta.url))('an export of Slack on %s', (database) => {
  let empty: EmptyServer;
  let wanda: Client;
  beforeAll(async () => {
    empty = await openEmptyServer(database);
    const { context } = empty.server;
    await importArchive(context, await slackSource(files), {
      subdomain: '',
      name: 'Birds',
      ownerEmail: 'wanda@birds.test',
      isDry: false,
      progress: () => undefined,
    });
    const [realm] = await context.store.read((tx) => listRealms(tx));
    if (!realm) throw new Error('nothing came');
    const users = await context.store.of(realm.id).read((tx) => listUsers(tx));
    const row = users.find((user) => user.email === 'wanda@birds.test');
    if (!row) throw new Error('nobody came');
    const api_key = apiKeyFor(context.server.secret, row.id, row.api_key_version);
    wanda = new Client(empty.server, { email: row.email, user_id: row.id, api_key });
  });
  afterAll(() => empty.close());

  const all = async (): Promise<Body[]> =>
    (await wanda.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false }))[
      'messages'
    ];

  it('comes in the order of its times, with names, links and marks turned', async () => {
    expect((await all()).map(({ sender_full_name, content }) => [sender_full_name, withoutToken(content)])).toEqual([
      ['Wanda Wren', '**Where** do we breed? See #**nests** & [the map](https://example.org/a)'],
      ['Wanda Wren', 'three'],
      ['Felix  Finch', 'psst'],
      ['Build Bot', '`a *b* <c>` ~~old~~ @**all**'],
      ['Slack', '[egg.png](https://birds.test/egg.png)'],
      [
        'Build Bot',
        '**1** new egg\n[egg 7](https://birds.test/7)\nlaid by @**Felix  Finch**\n**weight**: 11\na picture of [egg 8](https://birds.test/8)',
      ],
      ['Wanda Wren', 'https://birds.test/7'],
      ['Wanda Wren', '@**Wanda Wren** uploaded a file: [notes](https://birds.test/n)\n[notes.txt](/user_uploads/…)'],
      ['Felix  Finch', 'On the *second* day, @**Wanda Wren**'],
    ]);
  });

  it('makes a topic of each thread, named by its day and beginning', async () => {
    const topics = (await all()).filter(({ type }) => type === 'stream').map(({ subject }) => subject);
    const thread = '2024-05-01 Where do we breed? See #nests & the map';
    expect(topics).toEqual([thread, ...Array<string>(6).fill('imported from Slack'), thread]);
  });

  it('brings people, roles, channels, reactions and direct messages', async () => {
    const messages = await all();
    expect(messages[0]?.['reactions']).toMatchObject([{ emoji_name: 'tada' }]);
    expect(messages[2]).toMatchObject({ type: 'private' });
    const { members } = await wanda.get('/users');
    expect(members.map(({ full_name, role, is_active }: Body) => [full_name, role, is_active])).toEqual(
      expect.arrayContaining([
        ['Wanda Wren', 100, true],
        ['Felix  Finch', 400, true],
        ['Gina Gone', 400, false],
      ]),
    );
    const { streams } = await wanda.get('/streams', { include_all: true, exclude_archived: false });
    expect(streams.map(({ name, invite_only, is_archived }: Body) => [name, invite_only, is_archived])).toEqual(
      expect.arrayContaining([
        ['general', false, false],
        ['nests', false, true],
        ['eggs', true, false],
      ]),
    );
  });
});
