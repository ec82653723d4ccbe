import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mboxSource } from '#features/imports';
import type { Body, Client } from '../support/client.ts';
import { databasesInTurn } from '../support/databases.ts';
import { type EmptyServer, openEmptyServer } from '../support/empty-server.ts';
import { archiveWith, type Imported, imported, messagesOf } from './support/imported.ts';
import { mboxArchive } from './support/mbox.ts';

describe.each(databasesInTurn(import.meta.url))('mailing lists on %s', (database) => {
  let empty: EmptyServer;
  let birds: Imported;
  let wanda: Client;
  beforeAll(async () => {
    empty = await openEmptyServer(database);
    birds = await imported(empty, await mboxSource(archiveWith(mboxArchive)), 'wanda@birds.test');
    wanda = await birds.as('wanda@birds.test');
  });
  afterAll(() => empty.close());

  it('come as channels, conversations as topics by what they began with, in the order of their times', async () => {
    expect(
      (await messagesOf(wanda)).map(({ display_recipient, sender_full_name, subject, content }) => [
        display_recipient,
        sender_full_name,
        subject,
        content,
      ]),
    ).toEqual([
      ['nests', 'Wanda Wren', 'Where do we breed?', 'Bäume, I think.\nFrom here it looks good.'],
      ['nests', 'gina', 'Where do we breed?', '> Where?\nHere.'],
      [
        'nests',
        'Felix Fínch',
        'Where do we breed?',
        expect.stringMatching(/^Here & there\n+so\n\[map\.txt\]\(\/user_uploads\/1\/.*\)$/),
      ],
      ['list', 'Wanda Wren', 'Hello', 'An old mail.'],
    ]);
  });

  it('bring what is attached; who wrote has an account that waits', async () => {
    const { members } = await wanda.get('/users');
    const felix = members.find((one: Body) => one['full_name'] === 'Felix Fínch');
    expect(felix).toMatchObject({ is_active: false, role: 400 });
    expect(members.find((one: Body) => one['full_name'] === 'Wanda Wren')).toMatchObject({
      is_active: true,
      role: 100,
    });
    const stored = await empty.server.context.store.read((tx) =>
      tx.db.selectFrom('attachment').select(['name', 'size', 'owner_id']).execute(),
    );
    expect(stored).toEqual([{ name: 'map.txt', size: 'three trees'.length, owner_id: felix['user_id'] }]);
    expect(birds.report.remarks).toContain('messages left out: 1 (nests.mbox, mail 4: it has no time)');
  });
});

it('leaves out a mail of the far future, and cuts a long one, so that the others come', async () => {
  const mail = (id: number, year: number, text: string) =>
    `From a@b.test Wed May  1 08:00:00 2024\nFrom: a@b.test\nMessage-ID: <${id}@b.test>\nDate: Wed, 1 May ${year} 08:00:00 +0000\n\n${text}\n\n`;
  const mails = [mail(1, 2024, 'x'.repeat(1_500_000)), mail(2, 9999, 'far'), mail(3, 2024, 'near')].join('');
  const source = await mboxSource(archiveWith({ 'nests.mbox': mails }));
  const { zerver_message: messages } = (await source.json('messages-000001.json')) as Body;
  expect(messages.map(({ content }: Body) => content)).toEqual(['x'.repeat(20_000), 'near']);
  expect(source.report?.remarks).toEqual(['messages left out: 1 (nests.mbox, mail 2: its time is too far away)']);
  await source.close?.();
});

describe('mail that is none', () => {
  it.each([
    [{ 'mail.txt': 'hello' }, 'there is no .mbox file in the archive'],
    [{ 'a.mbox': '' }, 'there is no mail in a.mbox'],
    [{ 'a.mbox': 'PK\u0003\u0004 nothing of the kind' }, 'there is no mail in a.mbox'],
  ])('is refused in one line: %j', async (contents, said) => {
    await expect(mboxSource(archiveWith(contents))).rejects.toThrow(said);
  });

  it('is left out where its parts are a bomb', async () => {
    const deep = Array.from(
      { length: 200 },
      (_one, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n`,
    );
    const bomb = `From a@b.test Wed May  1 08:00:00 2024\nFrom: a@b.test\nDate: Wed, 1 May 2024 08:00:00 +0000\n${deep.join('')}\n`;
    await expect(mboxSource(archiveWith({ 'a.mbox': bomb }))).rejects.toThrow('there is no mail in a.mbox');
  });
});
