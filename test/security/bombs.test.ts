import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn } from '../support/databases.ts';
import { HttpBrowser } from '../support/http-browser.ts';
import { writtenMails } from '../support/mails.ts';
import { pause } from '../support/pause.ts';
import { childrenOf, residentBytes } from '../support/memory.ts';
import { manyFrames, pngWithTexts } from '../support/picture-bombs.ts';
import { plain } from '../support/pictures.ts';
import { type Production, startProduction } from '../support/production.ts';

const MIB = 2 ** 20;
const PACKED = gzipSync(Buffer.alloc(200 * MIB, 'a=1&'));
const NESTED = '['.repeat(4 * MIB);

describe.each(databasesInTurn(import.meta.url))('small files and bodies that unpack to large ones, on %s', (name) => {
  let production: Production;
  beforeAll(async () => {
    production = await startProduction(name, { ROOST_RATE_LIMITS: 'off' });
    // The jobs of its start are over.
    for (let [last, same] = [-1, 0]; same < 10; await pause(100)) {
      const now = await waiting();
      [last, same] = [now, now === last ? same + 1 : 0];
    }
  });
  afterAll(() => production.stop());

  const waiting = () => production.metric('roost_jobs_waiting');
  const memory = () => production.metric('process_resident_memory_bytes');
  /** With the processes that decode pictures, of which the server itself notices nothing. */
  const wholeMemory = () => residentBytes(production.server.pid);
  const send = (path: string, body: RequestInit['body'], headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${production.server.url}${path}`, {
      method: 'POST',
      body: body ?? null,
      headers: { authorization: production.authorization, ...headers },
    });
  const upload = (bytes: Uint8Array) => {
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(bytes)]), 'picture.png');
    return send('/api/v1/user_uploads', form);
  };
  /** The most memory that something takes until no job is waiting, and the longest wait of somebody else. */
  const costOf = async (work: () => Promise<unknown>) => {
    const [before, wholeBefore, later] = [await memory(), wholeMemory(), await waiting()];
    let [most, wholeMost, waitedMs, isDone] = [before, wholeBefore, 0, false];
    const done = work().finally(() => (isDone = true));
    while (!isDone || (await waiting()) > later) {
      const began = performance.now();
      most = Math.max(most, await memory());
      wholeMost = Math.max(wholeMost, wholeMemory());
      waitedMs = Math.max(waitedMs, performance.now() - began);
      await pause(20);
    }
    await done;
    return { bytes: most - before, wholeBytes: wholeMost - wholeBefore, waitedMs };
  };

  it.each([
    ['a PNG of 700 kB with texts of 700 MiB', pngWithTexts('zTXt', 100)],
    ['a PNG of 700 kB with international texts of 700 MiB', pngWithTexts('iTXt', 100)],
    ['a GIF of 500,000 frames', manyFrames('gif', 500_000)],
    ['a WebP of 200,000 frames', manyFrames('webp', 200_000)],
    ['a TIFF of 100,000 pages', manyFrames('tiff', 100_000)],
    ['a TIFF of 40 million pixels', plain(8_000, 5_000).ensureAlpha(0.5).tiff({ compression: 'deflate' }).toBuffer()],
    ['a GIF of 41 million pixels', plain(8_000, 5_200).gif({ effort: 1 }).toBuffer()],
    ['a PNG with rows of 65,000 pixels', plain(65_000, 700).ensureAlpha(0.5).png().toBuffer()],
    ['an AVIF of 12 million pixels', plain(4_000, 3_000).avif({ effort: 0 }).toBuffer()],
  ])('%s costs no more than a large picture', async (_what, bytes) => {
    const picture = await bytes;
    const cost = await costOf(async () => expect((await upload(picture)).status).toBe(200));
    expect(cost.bytes).toBeLessThan(100 * MIB);
    expect(cost.wholeBytes).toBeLessThan(450 * MIB);
  });

  it('a picture that ends what decodes it does not end the server', async () => {
    const form = new FormData();
    const picture = await plain(7_000, 7_000).png({ compressionLevel: 1 }).toBuffer();
    form.set('file', new Blob([Uint8Array.from(picture)]), 'me.png');
    let isAnswered = false;
    const sent = send('/api/v1/users/me/avatar', form).finally(() => (isAnswered = true));
    while (!isAnswered) {
      for (const child of childrenOf(production.server.pid, 'draw-images.js')) process.kill(child, 'SIGSEGV');
      await pause(20);
    }
    expect(await (await sent).json()).toMatchObject({ code: 'BAD_IMAGE', msg: 'Image is corrupted or truncated' });
    expect(production.server.output()).toContain('ended with SIGSEGV');
    expect((await upload(await plain(9, 9).png().toBuffer())).status).toBe(200);
  });

  it('pictures of people that are sent at once count with all other bodies', async () => {
    const one = new Blob([randomBytes(4.9 * MIB)]);
    const sends = () => {
      const form = new FormData();
      form.set('file', one, 'me.png');
      // The connection may be closed while the rest of the picture is sent.
      return send('/api/v1/users/me/avatar', form).then(
        ({ status }) => status,
        () => 503,
      );
    };
    const before = await memory();
    expect(new Set(await Promise.all(Array.from({ length: 40 }, sends)))).toContain(503);
    expect(((await memory()) - before) / MIB).toBeLessThan(150);
    expect(await sends()).toBe(400);
  });

  it('large images that are uploaded at once are in memory one at a time', async () => {
    const picture = Buffer.concat([await plain(99, 99).png().toBuffer(), randomBytes(50 * MIB)]);
    const cost = await costOf(async () => {
      const uploads = await Promise.all(Array.from({ length: 8 }, () => upload(picture)));
      expect(uploads.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    });
    expect(cost.bytes).toBeLessThan(300 * MIB);
  });

  it('large pictures keep no other work waiting', async () => {
    const picture = await plain(8_000, 6_000).ensureAlpha(0.5).png({ compressionLevel: 1 }).toBuffer();
    const uploads = await Promise.all(Array.from({ length: 8 }, () => upload(picture)));
    expect(uploads.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const isMailed = () =>
      writtenMails(production.database.dataDir).some((mail) => mail.includes('/accounts/password/reset/'));
    const browser = new HttpBrowser();
    await browser.open(`${production.server.url}/accounts/password/reset/`);
    await browser.submit({ email: production.owner.email });
    await expect.poll(isMailed, { timeout: 5_000 }).toBe(true);
    expect(await production.metric('roost_jobs_due')).toBeGreaterThan(2);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip'])(
    'a body that is packed by %s is not unpacked',
    async (coding) => {
      const headers = { 'content-encoding': coding, 'content-type': 'application/x-www-form-urlencoded' };
      const { bytes } = await costOf(async () => {
        const statuses = [];
        for (const path of ['/api/v1/messages', '/login/', '/api/v1/external/json', '/scim/v2/Users'])
          statuses.push((await send(path, PACKED, headers)).status);
        expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
      });
      expect(bytes).toBeLessThan(50 * MIB);
    },
  );

  it.each([
    ['/api/v1/messages', 'application/json'],
    ['/scim/v2/Users', 'application/scim+json'],
    ['/api/v1/external/github', 'application/json'],
    ['/accounts/passkeys/sign-in/', 'application/x-www-form-urlencoded'],
  ])('four million brackets to %s are refused', async (path, type) => {
    const { bytes, waitedMs } = await costOf(async () => {
      const { status } = await send(path, NESTED, { 'content-type': type });
      expect([status >= 400, status < 500]).toEqual([true, true]);
    });
    expect(bytes).toBeLessThan(100 * MIB);
    expect(waitedMs).toBeLessThan(1_000);
  });
});
