import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importArchive, type Source } from '#features/imports';
import { removeUnfinished } from '#features/organizations';
import { listRealms } from '#features/realms';
import { folderSource } from '../../src/commands/archives/folder.ts';
import { unpacked } from '../../src/commands/archives/unpack.ts';
import { databasesInTurn } from '../support/databases.ts';
import { type EmptyServer, openEmptyServer } from '../support/empty-server.ts';

/** A tar with one file. */
function tarOf(name: string, content: string, type = '0'): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  header.write(
    header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0'),
    148,
  );
  const padded = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  padded.write(content);
  return Buffer.concat([header, padded, Buffer.alloc(1024)]);
}

/** A zip with one deflated file, whose size is told as `size`; `packed`: other bytes than it says. */
function zipOf(name: string, content: Buffer, size = content.length, packed = deflateRawSync(content)): Buffer {
  const numbers = Buffer.alloc(16);
  numbers.writeUInt32LE(crc32(content), 0);
  numbers.writeUInt32LE(packed.length, 4);
  numbers.writeUInt32LE(size, 8);
  const lengths = Buffer.alloc(4);
  lengths.writeUInt16LE(Buffer.byteLength(name), 0);
  const local = Buffer.concat([
    Buffer.from('PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0', 'latin1'),
    numbers.subarray(0, 12),
    lengths,
    Buffer.from(name),
    packed,
  ]);
  const entry = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\0\x14\0\0\0\x08\0\0\0\0\0', 'latin1'),
    numbers.subarray(0, 12),
    lengths,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

describe('an archive that means harm', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'roost-hostile-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const unpack = async (name: string, bytes: Buffer): Promise<unknown> => {
    writeFileSync(join(folder, name), bytes);
    let found: unknown;
    await unpacked(join(folder, name), async (place) => {
      found = await folderSource(place).json('realm.json');
    });
    return found;
  };

  it('is unpacked where it is none', async () => {
    expect(await unpack('a.tar', tarOf('export/realm.json', '{"a":1}'))).toEqual({ a: 1 });
    expect(await unpack('a.tar.gz', gzipSync(tarOf('./realm.json', '{"a":2}')))).toEqual({ a: 2 });
    expect(await unpack('a.zip', zipOf('export/realm.json', Buffer.from('{"a":3}')))).toEqual({ a: 3 });
  });

  it.each([
    ['../realm.json', 'leads out of it: ../realm.json'],
    ['/etc/realm.json', 'leads out of it'],
    ['a/../../realm.json', 'leads out of it'],
    ['C:/realm.json', 'leads out of it'],
    ['a\\..\\realm.json', 'leads out of it'],
  ])('is refused for the path %s', async (path, said) => {
    await expect(unpack('a.tar', tarOf(path, '{}'))).rejects.toThrow(said);
    await expect(unpack('a.zip', zipOf(path, Buffer.from('{}')))).rejects.toThrow(said);
  });

  it('brings no links', async () => {
    expect(await unpack('a.tar', tarOf('realm.json', '', '2'))).toBeUndefined();
  });

  it('is refused when it is cut off, no archive, or another file than it says', async () => {
    await expect(unpack('a.tar.gz', gzipSync(tarOf('realm.json', '{}')).subarray(0, 40))).rejects.toThrow(/damaged/);
    await expect(unpack('a.tar', Buffer.from('x'.repeat(600)))).rejects.toThrow(/damaged/);
    await expect(unpack('a.tar', tarOf('realm.json', 'x'.repeat(2000)).subarray(0, 700))).rejects.toThrow(/damaged/);
    await expect(unpack('a.zip', Buffer.from('PK'))).rejects.toThrow(/damaged/);
    await expect(unpack('a.zip', zipOf('realm.json', Buffer.alloc(9_000_000), 10))).rejects.toThrow(/damaged/);
    await expect(unpack('a.rar', Buffer.from('x'))).rejects.toThrow(/is no folder/);
    await expect(unpack('a.tar', tarOf('realm.json', '{"a":'))).rejects.toThrow(
      'realm.json is no JSON, or only its beginning',
    );
  });

  it('is refused with the file in which it holds something else than it says', async () => {
    const content = Buffer.from('{"a":3}');
    const said = 'the archive is damaged at export/realm.json';
    const others = [deflateRawSync(Buffer.from('{"a":4}')), deflateRawSync(Buffer.from('{}')), Buffer.alloc(0)];
    for (const packed of others)
      await expect(unpack('a.zip', zipOf('export/realm.json', content, content.length, packed))).rejects.toThrow(said);
    await expect(unpack('a.zip', zipOf('export/realm.json', content, 3))).rejects.toThrow(said);
    const cut = zipOf('export/realm.json', content, content.length, deflateRawSync(content).subarray(0, 4));
    await expect(unpack('a.zip', cut)).rejects.toThrow(/damaged, or only its beginning: export\/realm.json/);
  });

  it('is refused with the name of a file that cannot be written', async () => {
    const [first, second] = [tarOf('a/b', '1').subarray(0, -1024), tarOf('a', '2')];
    await expect(unpack('a.tar', Buffer.concat([first, second]))).rejects.toThrow('two files of one name: a');
    const [file, inside] = [tarOf('a', '1').subarray(0, -1024), tarOf('a/b', '2')];
    await expect(unpack('a.tar', Buffer.concat([file, inside]))).rejects.toThrow('two files of one name: a/b');
    const long = `export/${'ä'.repeat(140)}.json`;
    await expect(unpack('a.zip', zipOf(long, Buffer.from('{}')))).rejects.toThrow('whose name is too long: export/ää');
  });

  it('is refused when it unpacks to far more than it is', async () => {
    const bomb = gzipSync(tarOf('realm.json', ' '.repeat(150 * 2 ** 20)));
    await expect(unpack('a.tar.gz', bomb)).rejects.toThrow(/unpacks to more than 100 MiB/);
    const zip = zipOf('realm.json', Buffer.alloc(150 * 2 ** 20, ' '));
    await expect(unpack('a.zip', zip)).rejects.toThrow(/unpacks to more than 100 MiB/);
  });

  it.each([
    ['millions of empty lists', `[${'[],'.repeat(10_000_000)}[]]`, /more than 10000000 lists/],
    ['tens of millions of numbers', `[${'1,'.repeat(50_000_001)}1]`, /more than 50000000 values/],
    [
      'names of which each is another',
      `{${Array.from({ length: 100_001 }, (_, index) => `"name ${index}" :1`).join()}}`,
      /100000 different names/,
    ],
    ['lists within lists', `${'['.repeat(600_000)}${']'.repeat(600_000)}`, /1000 deep/],
  ])('is refused for %s, before they take gigabytes', async (_what, text, said) => {
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'inner', 'realm.json'), text);
    const read = async () => {
      // Not what was read: a failure would print it.
      await folderSource(join(folder, 'inner')).json('realm.json');
    };
    await expect(read()).rejects.toThrow(said);
    const quoted = JSON.stringify([`\\"${'[{'.repeat(6_000_000)}`, '\\']);
    writeFileSync(join(folder, 'inner', 'realm.json'), quoted);
    expect(await folderSource(join(folder, 'inner')).json('realm.json')).toHaveLength(2);
  });

  it('is refused when it has folders or links without end, which are no files', async () => {
    const one = tarOf('a/', ' '.repeat(2 ** 20), '5').subarray(0, -1024);
    const bomb = gzipSync(Buffer.concat(Array.from({ length: 110 }, () => one)));
    await expect(unpack('a.tar.gz', bomb)).rejects.toThrow(/unpacks to more than \d+ MiB/);
  });

  it('is refused when its folders and files take far more than it does, although nothing is in them', async () => {
    const deep = (index: number) => tarOf(`${index}/${'a/'.repeat(30)}x`, '').subarray(0, -1024);
    const folders = gzipSync(Buffer.concat(Array.from({ length: 900 }, (_, index) => deep(index))));
    expect(folders.length).toBeLessThan(20_000);
    await expect(unpack('a.tar.gz', folders)).rejects.toThrow(/unpacks to more than 100 MiB/);
  });

  it('is read within its folder only', async () => {
    writeFileSync(join(folder, 'secret.json'), '{}');
    const source = folderSource(join(folder, 'inner'));
    for (const path of ['../secret.json', '/secret.json', 'a/../../secret.json', '..\\secret.json'])
      expect([await source.json(path), await source.open(path)]).toEqual([undefined, undefined]);
  });

  it('leads nowhere by links in a folder that was unpacked by other means', async () => {
    const inner = join(folder, 'inner');
    mkdirSync(join(inner, 'uploads'), { recursive: true });
    writeFileSync(join(folder, 'secret.json'), '{"secret":1}');
    writeFileSync(join(inner, 'uploads', 'own.json'), '{"own":1}');
    symlinkSync('../secret.json', join(inner, 'realm.json'));
    symlinkSync('/etc', join(inner, 'etc'));
    symlinkSync(join(folder, 'secret.json'), join(inner, 'uploads', 'a.json'));
    symlinkSync('uploads/own.json', join(inner, 'same.json'));
    symlinkSync('inner', join(folder, 'link'));
    for (const source of [folderSource(inner), folderSource(join(folder, 'link'))]) {
      for (const path of ['realm.json', 'uploads/a.json', 'etc/passwd'])
        expect([path, await source.has(path), await source.json(path), await source.open(path)]).toEqual([
          path,
          false,
          undefined,
          undefined,
        ]);
      await expect(source.part('uploads/a.json', 0, 10)).rejects.toThrow('there is no');
      expect(await source.list('etc')).toEqual([]);
      expect(await source.json('same.json')).toEqual({ own: 1 });
    }
  });

  it('is refused when its folders have no end, or what is no file has none', async () => {
    const deep = `${'a/'.repeat(40)}realm.json`;
    await expect(unpack('a.tar', tarOf(deep, '{}'))).rejects.toThrow('more than 32 folders');
    await expect(unpack('a.zip', zipOf(deep, Buffer.from('{}')))).rejects.toThrow('more than 32 folders');
    await expect(unpack('a.tar.gz', gzipSync(tarOf('folder', ' '.repeat(2 ** 21), '5')))).rejects.toThrow(/damaged/);
  });
});

describe.each(databasesInTurn(import.meta.url))(
  'rows of an archive that are not what they should be, on %s',
  (database) => {
    let empty: EmptyServer;
    beforeEach(async () => (empty = await openEmptyServer(database)));
    afterEach(() => empty.close());

    const REALM = {
      zerver_realm: [{ id: 1, name: 'Birds' }],
      zerver_userprofile: [{ id: 1, delivery_email: 'olive@birds.test', full_name: 'Olive Owner' }],
      zerver_stream: [{ id: 1, name: 'nests' }],
      zerver_recipient: [{ id: 1, type: 2, type_id: 1 }],
    };
    const MESSAGE = { id: 1, sender: 1, recipient: 1, subject: 'eggs', content: 'three', date_sent: 1_700_000_000 };
    const bring = (
      realm: object,
      message: object = MESSAGE,
      without: readonly string[] = [],
      attachments: readonly object[] = [],
      bytes: AsyncIterable<Uint8Array> = Readable.from([Buffer.from('bytes')]),
      context = empty.server.context,
    ) => {
      const files: Record<string, unknown> = {
        'realm.json': { ...REALM, ...realm },
        'attachment.json': { zerver_attachment: attachments },
        'messages-000001.json': { zerver_message: [message] },
      };
      const source: Source = {
        json: (path) => Promise.resolve(without.includes(path) ? undefined : files[path]),
        messageFiles: () => Promise.resolve(['messages-000001.json']),
        open: () => Promise.resolve(attachments.length > 0 ? bytes : undefined),
      };
      const options = { subdomain: '', name: undefined, ownerEmail: 'olive@birds.test', isDry: false };
      return importArchive(context, source, { ...options, progress: () => undefined });
    };
    const removeAll = async () => {
      for (const { id } of await realms()) await removeUnfinished(empty.server.context, id);
    };
    const realms = () => empty.server.context.store.read((tx) => listRealms(tx));

    it.each([
      [{ zerver_stream: [{ id: 1, name: 5 }] }, MESSAGE, 'realm.json, zerver_stream[0]: "name" is no text'],
      [{ zerver_stream: 7 }, MESSAGE, 'realm.json: "zerver_stream" is no list'],
      [{ zerver_stream: [null] }, MESSAGE, 'realm.json, zerver_stream[0] is no object'],
      [{ zerver_stream: [{ id: 1e99, name: 'a' }] }, MESSAGE, 'realm.json, zerver_stream[0]: "id" is no ID'],
      [{ zerver_recipient: [] }, MESSAGE, 'realm.json, zerver_stream[0]: "id" has no recipient'],
      [
        { zerver_realm: [{ id: 1, name: 'Birds', can_create_bots_group: 1.5 }] },
        MESSAGE,
        'realm.json, zerver_realm[0]: "can_create_bots_group" is no ID',
      ],
      [{ zerver_realm: [] }, MESSAGE, 'realm.json has no organization in zerver_realm'],
      [
        {
          zerver_stream: [
            { id: 1, name: 'a' },
            { id: 1, name: 'b' },
          ],
        },
        MESSAGE,
        'two channels of the archive have the same ID',
      ],
      [{}, { ...MESSAGE, id: 2_147_483_647 }, 'the archive has messages with IDs above 1500000000'],
      [{}, { ...MESSAGE, date_sent: -5 }, 'messages-000001.json, zerver_message[0]: "date_sent" is no time'],
      [{}, { ...MESSAGE, content: { html: 1 } }, 'messages-000001.json, zerver_message[0]: "content" is no text'],
      [{}, { ...MESSAGE, edit_history: '[' }, 'messages-000001.json, zerver_message[0]: "edit_history" is no JSON'],
    ])('are refused with their place, and nothing stays: %j', async (realm, message, said) => {
      await expect(bring(realm, message)).rejects.toThrow(said);
      expect(await realms()).toEqual([]);
      const report = await bring({});
      expect(report.counts.get('messages')).toBe(1);
    });

    it('do not come while another import runs, which goes on', async () => {
      let goOn = () => {};
      const waiting = new Promise<void>((resolve) => (goOn = resolve));
      let hasBegun = () => {};
      const begun = new Promise<void>((resolve) => (hasBegun = resolve));
      const slow = (async function* slowly() {
        hasBegun();
        await waiting;
        yield Buffer.from('bytes');
      })();
      const file = {
        id: 1,
        owner: 1,
        file_name: 'eggs',
        create_time: 1,
        messages: [1],
        path_id: '1/ab/cdefghijkl/eggs',
      };
      const first = bring({}, MESSAGE, [], [file], slow);
      await begun;
      await expect(bring({})).rejects.toThrow('another import is running: wait until it has ended');
      goOn();
      expect((await first).counts.get('messages')).toBe(1);
      expect(await realms()).toHaveLength(1);
      await removeAll();
      // It has ended, so the next one may begin.
      expect((await bring({})).counts.get('messages')).toBe(1);
    });

    it('come with topics and steps of any length, which are cut', async () => {
      const long = Array.from({ length: 3000 }, (_, i) => String.fromCodePoint(0x20000 + ((i * 7919) % 40_000))).join(
        '',
      );
      await bring({
        zerver_usertopic: [{ id: 1, user_profile: 1, stream: 1, topic_name: long, visibility_policy: 1 }],
        zerver_onboardingstep: [{ id: 1, user: 1, onboarding_step: long }],
        zerver_navigationview: [{ id: 1, user: 1, fragment: long }],
        zerver_realmdomain: [{ id: 1, domain: long }],
      });
      const topics = await empty.server.context.store.read((tx) =>
        tx.db.selectFrom('user_topic').select('topic').execute(),
      );
      expect(topics).toEqual([{ topic: long.slice(0, 120) }]);
    });

    it.each([
      ['text/html\r\nset-cookie: roost-session=x', 'eggs.txt', 'text/plain'],
      [`text/${'x'.repeat(100_000)}`, 'eggs.bin2', 'application/octet-stream'],
      ['Text/HTML; charset=utf-8', 'eggs', 'text/html'],
      ['image/png', 'eggs.gif', 'image/png'],
    ])('come with files of a type that an upload could have: %.20j', async (content_type, file_name, stored) => {
      const file = { id: 1, owner: 1, file_name, content_type, create_time: 1, messages: [1] };
      await bring({}, MESSAGE, [], [{ ...file, path_id: '1/ab/cdefghijkl/eggs' }]);
      const rows = await empty.server.context.store.read((tx) =>
        tx.db.selectFrom('attachment').select(['content_type', 'size']).execute(),
      );
      expect(rows).toEqual([{ content_type: stored, size: 5 }]);
    });

    it('come with as many reactions, parts of polls and earlier versions of a message as it may have here', async () => {
      const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
      const report = await bring(
        {
          zerver_reaction: numbers(300).map((id) => ({
            id,
            message: 1,
            user_profile: 1,
            emoji_name: `e${id}`,
            emoji_code: `1f${id}`,
          })),
          zerver_submessage: numbers(20).map((id) => ({
            id,
            message: 1,
            sender: 1,
            content: JSON.stringify('x'.repeat(99_990)),
          })),
        },
        { ...MESSAGE, edit_history: numbers(300).map((one) => ({ prev_content: 'x'.repeat(20_000), timestamp: one })) },
      );
      const stored = await empty.server.context.store.read(async ({ db }) => ({
        reactions: (await db.selectFrom('reaction').select('id').execute()).length,
        parts: (await db.selectFrom('submessage').select('id').execute()).length,
        edits: (await db.selectFrom('message').select('edit_history').execute())[0]?.edit_history ?? [],
      }));
      expect([stored.reactions, stored.parts]).toEqual([200, 10]);
      const lengths = stored.edits.map(({ prev_content = '', prev_rendered_content = '' }) => [
        prev_content.length,
        prev_rendered_content.length,
      ]);
      expect(lengths[0]).toEqual([10_000, 10_011]);
      expect(lengths).toHaveLength(50);
      expect(report.remarks).toEqual([
        'earlier versions left out: 1 (messages-000001.json, zerver_message[0]: "edit_history"[50]: "prev_content" and those before it)',
        expect.stringContaining('reactions left out: 100 (realm.json, zerver_reaction[200]: "message" has too many'),
        expect.stringContaining(
          'parts of polls left out: 10 (realm.json, zerver_submessage[10]: "message" has too many',
        ),
      ]);
    });

    it('let others write between a thousand rows and the next', async () => {
      const { context } = empty.server;
      const count = () =>
        context.store.read(async ({ db }) => (await db.selectFrom('reaction').select('id').execute()).length);
      const stored: number[] = [];
      const of: typeof context.store.of = (realmId) => {
        const inner = context.store.of(realmId);
        const write: typeof inner.write = async (work) => {
          const written = await inner.write(work);
          stored.push(await count());
          return written;
        };
        return { ...inner, write };
      };
      const store = new Proxy(context.store, {
        get: (target, name) => {
          const value: unknown = name === 'of' ? of : Reflect.get(target, name);
          return typeof value === 'function' && name !== 'of' ? value.bind(target) : value;
        },
      });
      const rows = Array.from({ length: 2500 }, (_, index) => ({
        id: index + 1,
        message: 1,
        user_profile: index + 1,
        emoji_name: 'tada',
        emoji_code: '1f389',
      }));
      const people = rows.map(({ id }) => ({ id, full_name: `User ${id}`, delivery_email: `user${id}@birds.test` }));
      const realm = { zerver_reaction: rows, zerver_userprofile: people };
      await bring(realm, MESSAGE, [], [], undefined, { ...context, store });
      expect([...new Set(stored)]).toEqual([0, 1000, 2000, 2500]);
    });

    it('come where files beside them are missing, which is named; not without what they are about', async () => {
      const report = await bring({}, MESSAGE, ['attachment.json', 'migration_status.json', 'uploads/records.json']);
      expect(report.counts.get('messages')).toBe(1);
      expect(report.remarks).toEqual(['files of the archive that are missing: 1 (attachment.json)']);
      await removeAll();
      await expect(bring({}, MESSAGE, ['realm.json'])).rejects.toThrow('there is no realm.json in the archive');
      await expect(bring({}, MESSAGE, ['messages-000001.json'])).rejects.toThrow(
        'there is no messages-000001.json in the archive',
      );
      expect(await realms()).toEqual([]);
    });

    it('are changed where a name is not allowed or an address is taken, and named; HTML is never believed', async () => {
      const people = [
        ...REALM.zerver_userprofile,
        { id: 2, delivery_email: 'OLIVE@birds.test', full_name: 'Fake `Owner`*' },
      ];
      const hostile = { ...MESSAGE, sender: 2, rendered_content: '<script>alert(1)</script>', content: 'a <b>c</b>' };
      const report = await bring(
        { zerver_userprofile: people, zerver_nonsense: [{ id: 1 }], zerver_none: [] },
        { ...hostile, mood: 'bad' },
      );
      expect(report.remarks).toEqual(
        expect.arrayContaining([
          'tables left out: 1 (zerver_nonsense)',
          'fields left out: 1 (messages-000001.json, zerver_message[0]: "mood")',
          'users with a made-up address: 1 (2: "OLIVE@birds.test")',
          'users with another name: 1 ("Fake `Owner`*": Fake  Owner)',
        ]),
      );
      const stored = await empty.server.context.store.read((tx) =>
        tx.db.selectFrom('message').select('rendered_content').execute(),
      );
      expect(stored).toEqual([{ rendered_content: '<p>a &lt;b&gt;c&lt;/b&gt;</p>' }]);
    });
  },
);
