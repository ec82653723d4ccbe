import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { databases } from '../../../test/support/databases.ts';
import { FaultyStore } from '../../../test/support/faulty-store.ts';
import { pause } from '../../../test/support/pause.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const CONTENT = Buffer.from('a nest of twigs');

describe.each(databases)('uploads while the object store is at fault, on %s', (database) => {
  const store = new FaultyStore();
  const clock = new TestClock();
  let world: World;
  let base: string;
  beforeAll(async () => {
    world = await openWorld(database, { clock, environment: { ROOST_UPLOADS_URL: await store.open() } });
    base = `http://127.0.0.1:${await world.server.listener.listen(0, '127.0.0.1')}`;
  });
  afterEach(() => {
    store.fault = 'none';
  });
  afterAll(async () => {
    await world.close();
    await store.close();
  });

  /** Lets the time pass that is waited for, until there is an answer. */
  const inTime = async (work: Promise<Response>): Promise<Response> => {
    let isOver = false;
    const ended = work.finally(() => (isOver = true));
    while (!isOver) {
      await pause(5);
      clock.advance(250);
    }
    return ended;
  };
  const upload = () => {
    const form = new FormData();
    form.set('file', new Blob([CONTENT], { type: 'text/plain' }), 'nest.txt');
    const headers = { authorization: world.max.authorization };
    return inTime(fetch(`${base}/api/v1/user_uploads`, { method: 'POST', headers, body: form }));
  };
  const tus = (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) =>
    inTime(
      fetch(new URL(path, base), {
        method,
        headers: { authorization: world.max.authorization, 'tus-resumable': '1.0.0', ...headers },
        ...(body && { body }),
      }),
    );
  const open = (url: string) =>
    inTime(fetch(new URL(url, base), { headers: { authorization: world.max.authorization } }));
  const attachments = async () => (await world.max.get('/attachments'))['attachments'] as { name: string }[];

  it.each(['hangs', 'fails', 'is busy', 'cuts'] as const)(
    'are refused for now when it %s, and leave nothing behind',
    async (fault) => {
      const before = await attachments();
      store.fault = fault;
      const refused = await upload();
      expect([refused.status, await refused.json()]).toEqual([
        503,
        expect.objectContaining({ code: 'SERVER_NOT_READY', msg: 'The server is temporarily unavailable' }),
      ]);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await attachments()).toEqual(before);
      store.fault = 'none';
      const again = await upload();
      expect([again.status, await again.text()]).toEqual([200, expect.any(String)]);
      expect(await attachments()).toHaveLength(before.length + 1);
    },
  );

  it.each(['hangs', 'fails'] as const)('are given to readers again when it %s no more', async (fault) => {
    const { url } = (await (await upload()).json()) as { url: string };
    store.fault = fault;
    expect((await open(url)).status).toBe(503);
    store.fault = 'none';
    const reply = await open(url);
    expect([reply.status, Buffer.from(await reply.arrayBuffer())]).toEqual([200, CONTENT]);
  });

  it('are never half a file that looks whole', async () => {
    const { url } = (await (await upload()).json()) as { url: string };
    store.fault = 'cuts';
    const reply = await open(url);
    await expect(reply.arrayBuffer()).rejects.toThrow();
  });

  it.each(['hangs', 'fails', 'is busy'] as const)(
    'that came in pieces are finished when it %s no more',
    async (fault) => {
      const filename = Buffer.from('pieces.txt').toString('base64');
      const begun = await tus('POST', '/api/v1/tus/', {
        'upload-length': String(CONTENT.length),
        'upload-metadata': `filename ${filename}`,
      });
      const location = begun.headers.get('location') ?? '';
      const octets = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
      store.fault = fault;
      expect((await tus('PATCH', location, octets, CONTENT)).status).toBe(503);
      store.fault = 'none';
      expect((await tus('HEAD', location)).headers.get('upload-offset')).toBe('0');
      const last = await tus('PATCH', location, octets, CONTENT);
      expect([last.status, await last.json()]).toEqual([200, expect.objectContaining({ filename: 'pieces.txt' })]);
      expect((await attachments()).filter(({ name }) => name === 'pieces.txt').length).toBeGreaterThan(0);
    },
  );
});
