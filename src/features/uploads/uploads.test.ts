import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { plain } from '../../../test/support/pictures.ts';
import { openFileStore, places } from '../../../test/support/places.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { findActor } from '#features/users';
import { TestClock } from '#kernel/clock';
import { asId, type MessageId } from '#kernel/ids';
import { actingAs } from '#kernel/store';
import { claimAttachments, releaseAttachments } from './claims.ts';
import { sanitisedName } from './names.ts';
import { sweepFiles } from './sweep.ts';

const DAY_MS = 86_400_000;

describe.each(places)('uploads on $database with files in $files', (place) => {
  let world: World;
  let files: Awaited<ReturnType<typeof openFileStore>>;
  beforeAll(async () => {
    files = await openFileStore(place);
    // Stores date what they keep by their own clocks.
    const clock = new TestClock(Date.now());
    world = await openWorld(place.database, {
      clock,
      environment: { ROOST_MAX_UPLOAD_MIB: '1', ...files.environment },
    });
  });
  afterAll(async () => {
    await world.close();
    await files.stop();
  });

  const pathOf = (upload: Body): string => upload['url'].slice('/user_uploads/'.length);
  const stored = (upload: Body) => world.server.context.files.size(`uploads/${pathOf(upload)}`);
  const listed = async (client: Client, upload: Body): Promise<Body | undefined> =>
    (await client.get('/attachments'))['attachments'].find((one: Body) => one['path_id'] === pathOf(upload));

  /** What the slices that send, edit and delete messages do inside their transactions. */
  const sends = async (client: Client, ...uploads: Body[]): Promise<MessageId> => {
    const { id } = await client.post('/messages', { type: 'direct', to: [client.userId], content: 'see this' });
    await claims(client, id, true, ...uploads);
    return id;
  };
  const claims = (client: Client, id: number, isNew: boolean, ...uploads: Body[]) =>
    world.server.context.store.in(world.realm).write(async (tx) => {
      const actor = await findActor(tx, asId(client.userId), 'test');
      if (!actor) throw new Error('the client has no account');
      const linking = { id: asId<MessageId>(id), isNew, pathIds: uploads.map(pathOf) };
      return claimAttachments(actingAs(tx, actor), linking, () => Promise.resolve(new Set<MessageId>()));
    });
  const deletes = (...ids: MessageId[]) =>
    world.server.context.store.in(world.realm).write((tx) => releaseAttachments(tx, ids));

  it.each([
    ['picture.png', undefined, 'image/png'],
    ['notes.pdf', undefined, 'application/pdf'],
    ['data.bin', undefined, 'application/octet-stream'],
    ['notes.txt', undefined, 'text/plain'],
    ['picture.png', 'application/octet-stream', 'image/png'],
    ['picture.png', 'image/jpeg', 'image/jpeg'],
    ['no ending', 'application/octet-stream', 'application/octet-stream'],
  ])('guesses the type of %s, sent as %s: %s (protocol/files#upload)', async (name, type, guessed) => {
    // As the Python client does it: the part is named like the file, with its path, and has no type.
    const sent = [{ field: `/tmp/of max/${name}`, name, content: 'x', type }];
    const { body } = await world.max.send('POST', '/user_uploads', sent);
    expect((await world.max.fetch(body['url'])).headers['content-type']).toMatch(new RegExp(`^${guessed}(;|$)`));
  });

  it('stores a file under an address that cannot be guessed, and tells its owner alone', async () => {
    const { max, mia } = world;
    const [own, other] = [await max.register(), await mia.register()];
    const before = (await max.get('/attachments'))['upload_space_used'];
    const upload = await max.upload('snowman ☃ man.txt', 'cold', 'text/plain');
    expect(upload['url']).toMatch(/^\/user_uploads\/\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/snowman-man\.txt$/);
    expect(upload).toMatchObject({ uri: upload['url'], filename: 'snowman ☃ man.txt' });
    expect(await stored(upload)).toBe(4);
    const attachment = {
      id: expect.any(Number),
      name: 'snowman ☃ man.txt',
      path_id: pathOf(upload),
      size: 4,
      create_time: world.clock.now(),
      message_ids: [],
      messages: [],
    };
    expect(await own.events()).toEqual([
      { id: expect.any(Number), type: 'attachment', op: 'add', attachment, upload_space_used: before + 4 },
    ]);
    expect(await other.events()).toEqual([]);
    expect(await listed(max, upload)).toEqual(attachment);
    expect(await listed(mia, upload)).toBeUndefined();
  });

  it('takes uploads of guests and bots, of any part name, and of no bytes', async () => {
    expect(await stored(await world.gus.upload('a.txt', ''))).toBe(0);
    const bot = await world.user({ is_bot: true, bot_type: 1 });
    const { status } = await bot.send('POST', '/user_uploads', [{ field: 'filename', name: 'b', content: 'b' }]);
    expect(status).toBe(200);
  });

  it.each([
    ['foo bar--baz', 'foo-bar-baz'],
    ['테스트.txt', '테스트.txt'],
    ['../../x', '....x'],
    ['..', 'uploaded-file'],
    ['C:\\windows\\x.exe', 'Cwindowsx.exe'],
    ['a\u0000b\r\nSet-Cookie: x=1.png', 'ab-Set-Cookie-x1.png'],
    [`${'é'.repeat(400)}.jpeg`, `${'é'.repeat(97)}.jpeg`],
  ])('keeps nothing of the name %j that could lead anywhere', (sent, kept) => {
    expect(sanitisedName(sent)).toBe(kept);
  });

  it('keeps a name sent with folders out of every folder', async () => {
    const upload = await world.max.upload('..%2f..%2fetc/passwd', 'x');
    expect(upload['filename']).toBe('../../etc/passwd');
    expect(upload['url']).toMatch(/\/\.\.\.\.etcpasswd$/);
    expect(await stored(upload)).toBe(1);
  });

  it('refuses no file, and more than one, and keeps neither', async () => {
    const none = await world.max.send('POST', '/user_uploads', [], { comment: 'no file' });
    expect(none).toMatchObject({ status: 400, body: { msg: 'You must specify a file to upload' } });
    const before = await countStored();
    const two = await world.max.send('POST', '/user_uploads', [
      { name: 'a', content: 'a' },
      { name: 'b', content: 'b' },
    ]);
    expect(two).toMatchObject({ status: 400, body: { msg: 'You may only upload one file at a time' } });
    expect(await countStored()).toBe(before);
    expect((await world.spectator.send('POST', '/user_uploads', [{ name: 'a', content: 'a' }])).status).toBe(401);
  });

  it('refuses a file as soon as it is too large', async () => {
    const before = await countStored();
    const { status, body } = await world.max.send('POST', '/user_uploads', [
      { name: 'big', content: Buffer.alloc(1024 * 1024 + 1) },
    ]);
    expect(status).toBe(400);
    expect(body['msg']).toBe("File is larger than this server's configured maximum upload size (1 MiB).");
    expect(await countStored()).toBe(before);
    await world.max.upload('just fits', Buffer.alloc(1024 * 1024));
  });

  it('lets only its owner delete a file, once', async () => {
    const { max, olive } = world;
    const upload = await max.upload('mine.txt');
    const { id } = (await listed(max, upload)) ?? {};
    const refusal = { status: 400, code: 'BAD_REQUEST', msg: 'Invalid attachment' };
    expect(await olive.refused('DELETE', `/attachments/${id}`)).toMatchObject(refusal);
    expect(await max.refused('DELETE', '/attachments/999999')).toMatchObject(refusal);
    expect(await world.spectator.refused('DELETE', `/attachments/${id}`)).toMatchObject({ code: 'UNAUTHORIZED' });
    const queue = await max.register();
    const results = await Promise.all([
      max.request('DELETE', `/attachments/${id}`),
      max.request('DELETE', `/attachments/${id}`),
    ]);
    expect(results.map((result) => result.status)).toSatisfy((all: number[]) => all.includes(200) && all.includes(400));
    const { upload_space_used } = await max.get('/attachments');
    expect(await queue.events()).toMatchObject([
      { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used },
    ]);
    await runJobs();
    expect(await stored(upload)).toBeUndefined();
  });

  it('is used by messages of its owner, and says so; others cannot attach what they may not open', async () => {
    const { max, mia } = world;
    const upload = await max.upload('shared.txt');
    const queue = await max.register();
    const message = await sends(max, upload);
    const stolen = await sends(mia, upload);
    expect(await listed(max, upload)).toMatchObject({
      message_ids: [message],
      messages: [{ id: message, date_sent: world.clock.now() }],
    });
    const updates = (await queue.events()).filter((event) => event['type'] === 'attachment');
    expect(updates).toMatchObject([{ op: 'update', attachment: { message_ids: [message] } }]);
    await claims(max, message, false);
    expect(await listed(max, upload)).toMatchObject({ message_ids: [] });
    expect(await queue.events()).toMatchObject([{ op: 'update', attachment: { message_ids: [] } }]);
    expect(await stored(upload)).toBe(7);
    expect(stolen).toBeGreaterThan(message);
  });

  it('is gone with its last message at once, its bytes soon after', async () => {
    const { max } = world;
    const upload = await max.upload('passing.txt');
    const [one, two] = [await sends(max, upload), await sends(max, upload)];
    const queue = await max.register();
    await deletes(one);
    expect(await listed(max, upload)).toMatchObject({ message_ids: [two] });
    await deletes(two);
    expect(await listed(max, upload)).toBeUndefined();
    expect((await queue.events()).map((event) => event['op'])).toEqual(['update', 'remove']);
    await runJobs();
    expect(await stored(upload)).toBeUndefined();
  });

  it('is gone when its last two messages are deleted at the same moment', async () => {
    const upload = await world.max.upload('both.txt');
    const ids = [await sends(world.max, upload), await sends(world.max, upload)];
    await Promise.all(ids.map((id) => deletes(id)));
    expect(await listed(world.max, upload)).toBeUndefined();
  });

  it('removes what was never used after 28 days, and what a crash left', async () => {
    const { context } = world.server;
    const [unused, used] = [await world.max.upload('unused.txt'), await world.max.upload('used.txt')];
    await sends(world.max, used);
    const orphan = `uploads/${world.realm.id}/a/${'x'.repeat(24)}/orphan.txt`;
    await context.files.put(orphan, Buffer.from('no row'));
    await sweepFiles(context);
    expect(await context.files.size(orphan)).toBe(6);
    world.clock.advance(27 * DAY_MS);
    await sweepFiles(context);
    expect(await context.files.size(orphan)).toBeUndefined();
    expect(await stored(unused)).toBe(7);
    world.clock.advance(2 * DAY_MS);
    await sweepFiles(context);
    await runJobs();
    expect(await stored(unused)).toBeUndefined();
    expect(await listed(world.max, unused)).toBeUndefined();
    expect(await stored(used)).toBe(7);
  });

  it('draws thumbnails of images, whatever they are called', async () => {
    const { context } = world.server;
    const upload = await world.max.upload('photo.txt', await plain(1000, 500).jpeg().toBuffer(), 'text/plain');
    const fake = await world.max.upload('fake.png', '<script>alert(1)</script>', 'image/png');
    await runJobs();
    expect(await context.files.size(`thumbnails/${pathOf(upload)}/840x560.webp`)).toBeGreaterThan(0);
    expect(await context.files.size(`thumbnails/${pathOf(fake)}/840x560.webp`)).toBeUndefined();
    const { id } = (await listed(world.max, upload)) ?? {};
    await world.max.delete(`/attachments/${id}`);
    await runJobs();
    expect(await context.files.size(`thumbnails/${pathOf(upload)}/840x560.webp`)).toBeUndefined();
  });

  async function countStored(): Promise<number> {
    let count = 0;
    for await (const _ of world.server.context.files.list('uploads/')) count++;
    return count;
  }

  async function runJobs(): Promise<void> {
    const { context } = world.server;
    context.jobs.start(context);
    await context.jobs.idle();
  }
});

describe.each(databases)('the upload quota on %s', (database) => {
  const MIB = 1024 * 1024;
  const content = Buffer.alloc(700_000);
  let world: World;
  let base: string;
  beforeEach(async () => {
    world = await openWorld(database);
    base = `http://127.0.0.1:${await world.server.listener.listen(0, '127.0.0.1')}`;
    const { setRealmSettings } = await import('#features/realms');
    await world.server.context.store.in(world.realm).write((tx) => setRealmSettings(tx, { upload_quota_mib: 1 }));
  });
  afterEach(() => world.close());

  /** Sizes of all files in the store. */
  const storedSizes = async () => {
    const sizes: number[] = [];
    for await (const { size } of world.server.context.files.list('')) sizes.push(size);
    return sizes;
  };

  it('is kept even when uploads arrive at once', async () => {
    const replies = await Promise.all(
      [world.max, world.mia].map((client) => client.send('POST', '/user_uploads', [{ name: 'a', content }])),
    );
    expect(new Set(replies.map((reply) => reply.body['code'] ?? 'ok'))).toEqual(new Set(['REALM_UPLOAD_QUOTA', 'ok']));
    expect((await world.max.get('/attachments'))['upload_space_used']).toBe(content.length);
    expect(await storedSizes()).toEqual([content.length]);
    expect(await world.max.send('POST', '/user_uploads', [{ name: 'a', content }])).toMatchObject({
      status: 400,
      body: { msg: "Upload would exceed your organization's upload quota." },
    });
  });

  it('is kept when resumable uploads arrive at once', async () => {
    const replies = await Promise.all(
      [world.max, world.mia].map(({ authorization }) =>
        fetch(`${base}/api/v1/tus/`, {
          method: 'POST',
          headers: {
            Authorization: authorization,
            'Tus-Resumable': '1.0.0',
            'Upload-Length': String(content.length),
            'Content-Type': 'application/offset+octet-stream',
          },
          body: content,
        }),
      ),
    );
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([201, 413]);
    expect((await world.max.get('/attachments'))['upload_space_used']).toBe(content.length);
    expect(await storedSizes()).toEqual([content.length]);
    for await (const { key } of world.server.context.files.list('unfinished/')) expect(key).toBeUndefined();
  });

  it.each([
    ['a file that ends in the middle', 'part', ''],
    ['a boundary that no client makes', 'p'.repeat(300), '\r\n--END--\r\n'],
  ])('refuses %s as the fault of who sends it', async (_what, boundary, end) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
    const body = `${head}some of it${end.replace('END', boundary)}`;
    const headers = {
      Authorization: world.max.authorization,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    };
    const reply = await fetch(`${base}/api/v1/user_uploads`, { method: 'POST', headers, body });
    expect(await reply.json()).toMatchObject({ msg: 'Malformed request body', code: 'BAD_REQUEST' });
    expect(reply.status).toBe(400);
    expect(await storedSizes()).toEqual([]);
    expect(await readdir(join(world.dataDir, 'files', '~incoming'))).toEqual([]);
  });

  it('refuses in the middle of a file, without taking the rest', async () => {
    const headers = {
      Authorization: world.max.authorization,
      'Content-Type': 'multipart/form-data; boundary=part',
      'Content-Length': String(1024 * MIB),
    };
    const sent = request(`${base}/api/v1/user_uploads`, { method: 'POST', headers });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      sent.on('response', (response) => resolve(response.resume().statusCode));
      sent.on('error', reject);
    });
    sent.write('--part\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    // A little more than fits, and never the gibibyte that was promised.
    sent.write(Buffer.alloc(MIB + 1));
    expect(await answered).toBe(400);
    sent.destroy();
    expect(await storedSizes()).toEqual([]);
    expect(await readdir(join(world.dataDir, 'files', '~incoming'))).toEqual([]);
  });
});
