import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mattermostSource } from '#features/imports';
import type { Body, Client } from '../support/client.ts';
import { databasesInTurn } from '../support/databases.ts';
import { type EmptyServer, openEmptyServer } from '../support/empty-server.ts';
import { plain } from '../support/pictures.ts';
import { archiveWith, type Imported, imported, messagesOf } from './support/imported.ts';
import { LINES, mattermostArchive } from './support/mattermost.ts';

describe.each(databasesInTurn(import.meta.url))('a bulk export of Mattermost on %s', (database) => {
  let empty: EmptyServer;
  let birds: Imported;
  let wanda: Client;
  beforeAll(async () => {
    empty = await openEmptyServer(database);
    const picture = await plain(64, 64).png().toBuffer();
    const source = await mattermostSource(archiveWith(mattermostArchive(picture)));
    birds = await imported(empty, source, 'wanda@birds.test');
    wanda = await birds.as('wanda@birds.test');
  });
  afterAll(() => empty.close());

  it('comes in the order of its times, threads as topics, mentions and links turned, code left alone', async () => {
    const messages = await messagesOf(wanda);
    const thread = '2024-05-01 Where do we breed, @Felix? @Felix @nobody @all';
    expect(messages.map(({ sender_full_name, subject, content }) => [sender_full_name, subject, content])).toEqual([
      ['Wanda Wren', thread, '**Where** do we breed, @**Felix|2**? @**Felix|3** @nobody @**all**'],
      ['Build Bot', 'imported from Mattermost', '[Build 7](https://ci.test/7)\nfailed'],
      ['Wanda Wren', 'imported from Mattermost', 'three'],
      ['Felix', 'imported from Mattermost', 'later than the thread: #**Eggs** `~eggs @wanda`'],
      ['Felix', '', 'psst'],
      ['Felix', thread, expect.stringMatching(/^here\n\[map\.txt\]\(\/user_uploads\/1\/.{2}\/.{24}\/map\.txt\)$/)],
      ['Build Bot', thread, 'gone.txt'],
    ]);
    const [first] = await messagesOf(wanda, true);
    expect(first?.['content']).toContain('data-user-id="2">@Felix');
    expect(first?.['content']).toContain('data-user-id="3">Felix');
    expect(first?.['last_edit_timestamp']).toBe(1_714_550_460);
  });

  it('brings files, pictures, emoji, reactions, roles and who is where', async () => {
    const messages = await messagesOf(wanda);
    expect(messages[0]?.['reactions'].map((one: Body) => one['emoji_name'])).toEqual(['heron', 'tada']);
    const { attachments } = await (await birds.as('felix@birds.test')).get('/attachments');
    expect(attachments).toMatchObject([{ name: 'map.txt', size: 'three trees'.length }]);
    expect(Object.values<Body>((await wanda.get('/realm/emoji'))['emoji'])).toMatchObject([{ name: 'heron' }]);
    const { members } = await wanda.get('/users');
    expect(
      members
        .filter((one: Body) => !one['is_system_bot'])
        .map(({ full_name, role, is_active, is_bot }: Body) => [full_name, role, is_active, is_bot]),
    ).toEqual(
      expect.arrayContaining([
        ['Wanda Wren', 100, true, false],
        ['Felix', 400, true, false],
        ['Felix', 400, false, false],
        ['Build Bot', 400, true, true],
      ]),
    );
    const { subscriptions } = await wanda.get('/users/me/subscriptions');
    expect(subscriptions.map(({ name, invite_only }: Body) => [name, invite_only])).toEqual(
      expect.arrayContaining([
        ['Town Square', false],
        ['Eggs', true],
      ]),
    );
    const felix = await messagesOf(await birds.as('felix@birds.test'));
    expect(felix.map(({ content }) => content)).not.toContain('three');
  });

  it('names what did not come, with its place', () => {
    expect(birds.report.remarks).toEqual(
      expect.arrayContaining([
        'emoji without a picture: 1 (import.jsonl, line 3: lost)',
        'fields left out: 1 (import.jsonl, line 7: user.favourite_food)',
        'lines left out: 1 (import.jsonl, line 18: "scoreboard" is not known)',
        'reactions left out: 1 (import.jsonl, line 12: there is no emoji no-such)',
        'files left out: 1 (import.jsonl, line 12, reply 1: 20240501/gone.txt is not in the archive)',
      ]),
    );
  });
});

describe('a bulk export of Mattermost that is none', () => {
  const read = (contents: Readonly<Record<string, unknown>>) => mattermostSource(archiveWith(contents));
  const lines = (...all: readonly (object | string)[]) => ({
    'import.jsonl': all.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  });
  const [version, , , team, square] = LINES;

  it('leaves out messages of a time that no calendar has, also in threads', async () => {
    const far = {
      team: 'birds',
      channel: 'town-square',
      user: 'wanda',
      message: 'far',
      create_at: 9_007_199_254_740_991,
    };
    const near = { ...far, message: 'near', create_at: 1_714_560_000_000, edit_at: far.create_at, replies: [far] };
    const posts = [{ ...far, replies: [far] }, near].map((post) => ({ type: 'post', post }));
    const source = await mattermostSource(
      archiveWith(mattermostArchive(Buffer.from(''), [...LINES.slice(0, 8), ...posts])),
    );
    const { zerver_message: messages } = (await source.json('messages-000001.json')) as Body;
    expect(messages).toMatchObject([{ content: 'near', date_sent: 1_714_560_000, last_edit_time: null }]);
    expect(source.report?.remarks.join()).toMatch(/messages left out: 3 \(.*line \d+: its time is too far away/);
    await source.close?.();
  });

  it('leaves out lines whose kind is the name of something that every object has', async () => {
    const odd = ['constructor', '__proto__', 'toString'].map((type) => ({ type, [type]: {} }));
    const { report } = await read(lines(version ?? '', team ?? '', square ?? '', ...odd));
    expect(report?.remarks.join()).toContain('lines left out: 3 (import.jsonl, line 4: "constructor" is not known');
  });

  it.each([
    [{}, 'there is no .jsonl file in the archive'],
    [{ 'a.jsonl': '', 'b.jsonl': '' }, 'the archive has several .jsonl files: a.jsonl, b.jsonl'],
    [{ 'import.jsonl': '' }, 'import.jsonl is empty'],
    [lines(team ?? ''), 'import.jsonl, line 1: the first line is not the version of the format'],
    [lines({ type: 'version', version: 7 }), 'import.jsonl, line 1: "version" is not 1, the only one known here'],
    [lines(version ?? '', '{"type":"te'), 'import.jsonl, line 2 is no JSON, or only its beginning'],
    [lines(version ?? '', { type: 'user', user: 7 }), 'import.jsonl, line 2, user is no object'],
    [lines(version ?? '', { type: 'channel', channel: {} }), 'import.jsonl, line 2, channel: "team" is no text'],
    [
      lines(version ?? '', team ?? '', square ?? '', {
        type: 'post',
        post: { team: 'birds', channel: 'town-square', user: 'wanda', message: 'a', create_at: 'noon' },
      }),
      'import.jsonl, line 4, post: "create_at" is no whole number',
    ],
  ])('is refused in one line that says where: %j', async (contents, said) => {
    await expect(read(contents)).rejects.toThrow(said);
  });
});
