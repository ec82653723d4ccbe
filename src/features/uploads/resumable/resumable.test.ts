import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DetailedError, Upload, type UploadOptions } from 'tus-js-client';
import { csrfTokenFor, insertSession } from '#kernel/auth';
import { TestClock } from '#kernel/clock';
import { readConfig } from '#kernel/config';
import { openLog } from '#kernel/log';
import { createOrganization } from '#features/organizations';
import { credentialsOf } from '#features/sign-in';
import { insertUser, type UserRow } from '#features/users';
import { Client } from '../../../../test/support/client.ts';
import { makeDatabase, type TestDatabase } from '../../../../test/support/databases.ts';
import { openFileStore, places } from '../../../../test/support/places.ts';
import { openServer, type Server } from '../../../server.ts';
import { sweepFiles } from '../sweep.ts';

const MIB = 1024 * 1024;

describe.each(places)('resumable uploads on $database with files in $files', (place) => {
  let database: TestDatabase;
  let files: Awaited<ReturnType<typeof openFileStore>>;
  let server: Server;
  let base: string;
  let owner: Client;
  let ownerRow: UserRow;
  let other: Client;
  const clock = new TestClock();

  const open = async () => {
    const { dataDir, databaseUrl } = database;
    const config = readConfig({
      ROOST_DATA_DIR: dataDir,
      ROOST_EXTERNAL_URL: 'http://localhost:9991',
      ROOST_MODE: 'development',
      ROOST_MAX_UPLOAD_MIB: '300',
      ...files.environment,
      ...(databaseUrl !== undefined && { ROOST_DATABASE_URL: databaseUrl }),
    });
    const log = openLog('error', { write: (line: string) => process.stderr.write(line) });
    server = await openServer({ config, clock, log, strict: true });
    await server.context.events.start();
    base = `http://127.0.0.1:${await server.listener.listen(0, '127.0.0.1')}`;
  };
  /** Ends the server and starts another one on the same data. */
  const restart = async () => {
    await server.stop();
    await open();
    owner = owner.at(server);
    other = other.at(server);
  };

  beforeAll(async () => {
    files = await openFileStore(place);
    database = await makeDatabase(place.database);
    await open();
    const { realm, owner: row } = await createOrganization(server.context, {
      subdomain: '',
      name: 'Roost Test',
      owner: { email: 'owner@roost.test', full_name: 'Olive Owner', password: 'roost-demo-password' },
    });
    const second = await server.context.store
      .in(realm)
      .write((tx) =>
        insertUser(tx, { realm_id: realm.id, email: 'b@roost.test', full_name: 'B', role: 400, avatar_source: 'J' }),
      );
    ownerRow = row;
    owner = new Client(server, credentialsOf(server.context, row));
    other = new Client(server, credentialsOf(server.context, second));
  });
  afterAll(async () => {
    await server.stop();
    await database.remove();
    await files.stop();
  });

  const headersOf = (client: Client) => ({ Authorization: client.authorization });
  const send = (bytes: Buffer, options: Partial<UploadOptions> = {}, stopAfter = Number.POSITIVE_INFINITY) =>
    new Promise<{ url: string; body: string; stopped: boolean }>((resolve, reject) => {
      let body = '';
      const upload: Upload = new Upload(bytes, {
        endpoint: `${base}/api/v1/tus/`,
        headers: headersOf(owner),
        chunkSize: MIB,
        retryDelays: [],
        metadata: { filename: 'Ferien ☀ 1.txt', filetype: 'text/plain' },
        onAfterResponse: (_request, response) => {
          body = response.getBody();
        },
        onChunkComplete: (_size, accepted) => {
          if (accepted < stopAfter) return;
          void upload.abort().then(() => resolve({ url: upload.url ?? '', body, stopped: true }));
        },
        onSuccess: () => resolve({ url: upload.url ?? '', body, stopped: false }),
        onError: reject,
        ...options,
      });
      upload.start();
    });
  const refusal = async (bytes: Buffer, options: Partial<UploadOptions>) => {
    const error = await send(bytes, options).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof DetailedError)) throw new Error('the upload was not refused');
    return { status: error.originalResponse?.getStatus(), body: error.originalResponse?.getBody() };
  };
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const tus = (method: string, url: string, client: Client, more: Record<string, string> = {}) =>
    fetch(url, { method, headers: { 'Tus-Resumable': '1.0.0', ...headersOf(client), ...more } });

  it('makes an attachment of a finished upload and says where it is', async () => {
    const queue = await owner.register();
    const bytes = randomBytes(2 * MIB + 17);
    const { url, body } = await send(bytes);
    const path = url.slice(`${base}/api/v1/tus/`.length);
    expect(path).toMatch(/^\d+\/[0-9a-f]{1,2}\/\w{24}\/Ferien-1\.txt$/);
    expect(JSON.parse(body)).toEqual({ url: `/user_uploads/${path}`, filename: 'Ferien ☀ 1.txt' });
    expect(await queue.events()).toMatchObject([
      { type: 'attachment', op: 'add', attachment: { name: 'Ferien ☀ 1.txt', path_id: path, size: bytes.length } },
    ]);
    const file = await owner.fetch(`/user_uploads/${path}`);
    expect(digest(file.rawPayload)).toBe(digest(bytes));
    expect(file.headers['content-type']).toBe('text/plain');
    expect((await other.fetch(`/user_uploads/${path}`)).statusCode).toBe(403);
  });

  it('goes on after a dropped connection and after a restart of the server', async () => {
    const bytes = randomBytes(6 * MIB);
    const { url, stopped } = await send(bytes, {}, 2 * MIB);
    expect(stopped).toBe(true);
    await dropInside(url, bytes, 2 * MIB, 700_000);
    const offset = await offsetOf(url);
    expect(offset).toBeGreaterThanOrEqual(2 * MIB);
    expect(offset).toBeLessThan(3 * MIB);
    const path = url.slice(base.length);
    await restart();
    const { body } = await send(bytes, { uploadUrl: base + path });
    const file = await owner.fetch(JSON.parse(body).url);
    expect(digest(file.rawPayload)).toBe(digest(bytes));
  });

  it('finishes what had all its bytes when the server stopped, and answers who asks again', async () => {
    const bytes = randomBytes(MIB);
    const { url } = await send(Buffer.concat([bytes, Buffer.alloc(MIB)]), {}, MIB);
    const path = url.slice(`${base}/api/v1/tus/`.length);
    // As if the last byte had been stored and nothing after it.
    await server.context.store.write((tx) =>
      tx.db.updateTable('unfinished_upload').set({ size: MIB }).where('path_id', '=', path).execute(),
    );
    await restart();
    const again = `${base}/api/v1/tus/${path}`;
    const head = await tus('HEAD', again, owner);
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, String(MIB)]);
    expect(digest((await owner.fetch(`/user_uploads/${path}`)).rawPayload)).toBe(digest(bytes));
    expect((await tus('DELETE', again, owner)).status).toBe(400);
    expect((await tus('HEAD', again, owner)).headers.get('cache-control')).toBe('no-store');
  });

  it('lets nobody else look at, write to or end an upload', async () => {
    const { url } = await send(randomBytes(2 * MIB), {}, MIB);
    const octets = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(MIB) };
    for (const [method, more] of [
      ['HEAD', {}],
      ['PATCH', octets],
      ['DELETE', {}],
    ] as const) {
      expect((await tus(method, url, other, more)).status).toBe(404);
      expect((await tus(method, url, new Client(server), more)).status).toBe(401);
    }
    expect((await tus('DELETE', url, owner)).status).toBe(204);
    expect((await tus('HEAD', url, owner)).status).toBe(404);
  });

  it.each(['..%2f..%2fsecret', '%00', '1/4e/..', 'x'])('finds no upload at %s', async (path) => {
    expect((await tus('HEAD', `${base}/api/v1/tus/${path}`, owner)).status).toBe(404);
  });

  it('refuses what is too large, of unknown length, without login, or in another protocol', async () => {
    const tooLarge = await tus('POST', `${base}/api/v1/tus/`, owner, { 'Upload-Length': String(301 * MIB) });
    const message = "File is larger than this server's configured maximum upload size (300 MiB).";
    expect([tooLarge.status, await tooLarge.json()]).toEqual([413, { message }]);
    const deferred = await tus('POST', `${base}/api/v1/tus`, owner, { 'Upload-Defer-Length': '1' });
    expect(deferred.status).toBe(411);
    const parts = { 'Upload-Length': '1', 'Upload-Concat': 'partial' };
    expect((await tus('POST', `${base}/api/v1/tus/`, owner, parts)).status).toBe(501);
    expect(await refusal(Buffer.from('x'), { headers: {} })).toEqual({
      status: 401,
      body: '{"message":"Unauthenticated upload"}',
    });
    for (const version of [{}, { 'Tus-Resumable': '0.2.2' }])
      for (const method of ['POST', 'HEAD', 'PATCH', 'DELETE']) {
        const old = await fetch(`${base}/api/v1/tus/`, { method, headers: { ...headersOf(owner), ...version } });
        expect([method, old.status, old.headers.get('tus-version')]).toEqual([method, 412, '1.0.0']);
      }
    expect((await fetch(`${base}/api/v1/tus/`, { headers: headersOf(owner) })).status).toBe(405);
  });

  it('asks a browser session for its CSRF token, and an API key for none (security#asvs, item 3.5.1)', async () => {
    const { store, server: facts } = server.context;
    const token = 'session'.padEnd(32, 'x');
    await store.of(ownerRow.realm_id).write((tx) => insertSession(tx, ownerRow.id, { token, client: 'a browser' }));
    const begin = (more: Record<string, string>) =>
      fetch(`${base}/api/v1/tus/`, {
        method: 'POST',
        headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '3', cookie: `roost-session=${token}`, ...more },
      });
    const without = await begin({});
    expect([without.status, await without.json()]).toEqual([403, { message: 'CSRF error: CSRF token missing.' }]);
    expect((await begin({ 'x-csrftoken': 'x'.repeat(32) })).status).toBe(403);
    const begun = await begin({ 'x-csrftoken': csrfTokenFor(facts.secret, token) });
    expect(begun.status).toBe(201);
    const url = new URL(begun.headers.get('location') ?? '', base).href;
    const cookie = { cookie: `roost-session=${token}`, 'Tus-Resumable': '1.0.0' };
    expect((await fetch(url, { method: 'HEAD', headers: cookie })).status).toBe(200);
    expect((await fetch(url, { method: 'DELETE', headers: cookie })).status).toBe(403);
    expect((await begin(headersOf(owner))).status).toBe(201);
  });

  it('says what it can do', async () => {
    const { status, headers } = await fetch(`${base}/api/v1/tus/`, { method: 'OPTIONS' });
    expect(status).toBe(204);
    expect(headers.get('tus-extension')?.split(',')).toEqual(expect.arrayContaining(['creation', 'termination']));
    expect(headers.get('tus-max-size')).toBe(String(300 * MIB));
  });

  it('takes an empty file, and names what has no name', async () => {
    const { url } = await send(Buffer.alloc(0), { metadata: { filename: '..' } });
    expect(url).toMatch(/\/uploaded-file$/);
    expect((await owner.get('/attachments'))['attachments'].at(-1)).toMatchObject({ name: 'uploaded-file', size: 0 });
  });

  it('needs no more memory for a large file in broken pieces than for a small one', async () => {
    const bytes = Buffer.alloc(200 * MIB, 7);
    await send(Buffer.alloc(8 * MIB), { chunkSize: Number.POSITIVE_INFINITY });
    let highest = 0;
    const before = process.memoryUsage().rss;
    const look = () => {
      highest = Math.max(highest, process.memoryUsage().rss);
    };
    const { url } = await send(bytes, {}, MIB);
    for (let broken = 0; broken < 3; broken++) {
      const offset = await offsetOf(url);
      await dropInside(url, bytes, offset, 30 * MIB);
      look();
      expect(await offsetOf(url)).toBeGreaterThan(offset);
    }
    await send(bytes, { chunkSize: 50 * MIB, onProgress: look, uploadUrl: url });
    expect(highest - before).toBeLessThan(150 * MIB);
    const path = url.slice(`${base}/api/v1/tus/`.length);
    expect(await server.context.files.size(`uploads/${path}`)).toBe(bytes.length);
    await sweepFiles(server.context);
  });

  async function offsetOf(url: string): Promise<number> {
    return Number((await tus('HEAD', url, owner)).headers.get('upload-offset'));
  }

  /** Sends `count` bytes of a file from `offset` on, having promised the rest, and breaks the connection. */
  async function dropInside(url: string, bytes: Buffer, offset: number, count: number): Promise<void> {
    const headers = {
      ...headersOf(owner),
      'Tus-Resumable': '1.0.0',
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(offset),
      'Content-Length': String(bytes.length - offset),
    };
    await new Promise<void>((resolve) => {
      const piece = request(url, { method: 'PATCH', headers });
      piece.on('error', () => resolve());
      piece.write(bytes.subarray(offset, offset + count), () => piece.destroy(new Error('dropped')));
    });
  }
});
