import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rocketChatSource } from '#features/imports';
import type { Body, Client } from '../support/client.ts';
import { databasesInTurn } from '../support/databases.ts';
import { type EmptyServer, openEmptyServer } from '../support/empty-server.ts';
import { plain } from '../support/pictures.ts';
import { archiveWith, type Imported, imported, messagesOf } from './support/imported.ts';
import { dumpOf, linesOf, listsOf, rocketChatRecords } from './support/rocketchat.ts';

const THREAD = '2024-05-01 Where do we breed, @Felix Finch? See #Eggs & Nes…';

describe.each(databasesInTurn(import.meta.url))('a Rocket.Chat server on %s', (database) => {
  let empty: EmptyServer;
  let birds: Imported;
  let wanda: Client;
  beforeAll(async () => {
    empty = await openEmptyServer(database);
    const source = await rocketChatSource(archiveWith(dumpOf(rocketChatRecords(await plain(64, 64).png().toBuffer()))));
    birds = await imported(empty, source, 'wanda@birds.test');
    wanda = await birds.as('wanda@birds.test');
  });
  afterAll(() => empty.close());

  it('comes with threads and discussions as topics, marks, mentions and quotes turned, code left alone', async () => {
    expect(
      (await messagesOf(wanda)).map(({ sender_full_name, subject, content }) => [sender_full_name, subject, content]),
    ).toEqual([
      ['Wanda Wren', THREAD, '**Where** do we *breed*, @**Felix Finch**? See #**Eggs & Nests** ~~old~~ `*a* @felix`'],
      ['Build Bot', 'imported from Rocket.Chat', 'wanda:\n```quote\nWhere\n```\n\nyes'],
      ['Wanda Wren', 'imported from Rocket.Chat', 'three'],
      ['Felix Finch', '', 'psst'],
      [
        'Felix Finch',
        'Which tree',
        expect.stringMatching(/^the map\n\[map\.txt\]\(\/user_uploads\/1\/.*\)\ngone\.txt$/),
      ],
      ['Felix Finch', THREAD, 'here'],
    ]);
  });

  it('brings files from their pieces, pictures, emoji, reactions, roles and who is where', async () => {
    const [first] = await messagesOf(wanda);
    expect(first?.['reactions'].map((one: Body) => one['emoji_name'])).toEqual(['tada', 'heron']);
    expect(first?.['last_edit_timestamp']).toBe(1_714_550_461);
    const { attachments } = await (await birds.as('felix@birds.test')).get('/attachments');
    expect(attachments).toMatchObject([{ name: 'map.txt', size: 'three trees'.length }]);
    expect(Object.values<Body>((await wanda.get('/realm/emoji'))['emoji'])).toMatchObject([
      { name: 'heron' },
      { name: 'reiher' },
    ]);
    const { streams } = await wanda.get('/streams');
    const writers = new Map(streams.map((one: Body) => [one['name'], one['can_send_message_group']]));
    expect(writers.get('Eggs & Nests')).not.toBe(writers.get('general'));
    const { members } = await wanda.get('/users');
    expect(members.map(({ full_name, role, is_active, is_bot }: Body) => [full_name, role, is_active, is_bot])).toEqual(
      expect.arrayContaining([
        ['Wanda Wren', 100, true, false],
        ['Felix Finch', 400, true, false],
        ['Gus Guest', 600, false, false],
        ['guest-1', 400, false, false],
        ['Build Bot', 400, true, true],
      ]),
    );
    const own = async (email: string) =>
      (await (await birds.as(email)).get('/users/me/subscriptions'))['subscriptions'].map(({ name }: Body) => name);
    expect(await own('wanda@birds.test')).toEqual(expect.arrayContaining(['general', 'Eggs & Nests']));
    expect(await own('felix@birds.test')).toEqual(['general']);
  });

  it('names what did not come, with its place', () => {
    const path = 'dump/rocketchat/rocketchat_message.bson';
    expect(birds.report.remarks).toEqual(
      expect.arrayContaining([
        'rooms left out: 1 (L1: of kind "l")',
        `messages left out: 3 (${path}, record 7: only its readers can decrypt it, ${path}, record 8: its room is not in the archive, ${path}, record 9: its room is not in the archive)`,
        `files left out: 1 (${path}, record 6: gone.txt is not in the archive)`,
        `reactions left out: 1 (${path}, record 1: nobody is called ghost)`,
      ]),
    );
  });

  it.each([
    ['a record a line', linesOf],
    ['a list a collection', listsOf],
  ])('comes from an export as JSON with %s, without the files that only a dump has', async (_how, write) => {
    const other = await openEmptyServer(database);
    try {
      const source = await rocketChatSource(archiveWith(write(rocketChatRecords(Buffer.from('no picture')))));
      const there = await imported(other, source, 'wanda@birds.test');
      const messages = await messagesOf(await there.as('wanda@birds.test'));
      expect(messages.map(({ content }) => content.split('\n')[0])).toEqual([
        expect.stringContaining('@**Felix Finch**'),
        'wanda:',
        'three',
        'psst',
        'the map',
        'here',
      ]);
      expect(there.report.remarks).toContainEqual(expect.stringMatching(/^files left out: 2 .*map\.txt is not in/));
    } finally {
      await other.close();
    }
  });
});

describe('a Rocket.Chat archive that is none', () => {
  it.each([
    [{ 'readme.txt': 'hello' }, 'there is no rocketchat_room.bson or .json in the archive'],
    [{ 'rocketchat_room.bson': Buffer.from('hello') }, 'rocketchat_room.bson, record 0 is no BSON'],
    [{ 'rocketchat_room.bson': Buffer.from([200, 0, 0, 0, 1]) }, 'rocketchat_room.bson, record 0 is cut off'],
    [{ 'rocketchat_room.bson': Buffer.from([6, 0, 0, 0, 77, 0]) }, 'rocketchat_room.bson, record 0 is no BSON'],
    [{ 'rocketchat_room.json': '{"_id":' }, 'rocketchat_room.json, line 1 is no JSON, or only its beginning'],
    [{ 'rocketchat_room.json': '{"_id":7}' }, 'rocketchat_room.json, line 1: "_id" is no text'],
  ])('is refused in one line that says where: %j', async (contents, said) => {
    await expect(rocketChatSource(archiveWith(contents))).rejects.toThrow(said);
  });
});
