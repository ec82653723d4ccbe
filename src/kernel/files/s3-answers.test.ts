import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { pause } from '../../../test/support/pause.ts';
import { isPlainXml } from './s3-answers.ts';
import { type Files, FilesAway, openFiles } from './index.ts';

const MIB = 2 ** 20;
const XML = { 'content-type': 'application/xml' };

/** Writes the same for as long as it is read; returns how much was read. */
function pour(response: ServerResponse, unit: string | Buffer): () => number {
  let bytes = 0;
  const more = () => {
    for (let isTaken = true; isTaken && !response.destroyed; bytes += unit.length) isTaken = response.write(unit);
  };
  response.on('drain', more);
  more();
  return () => bytes;
}

describe('an object store that answers as no store does', () => {
  let answer: (response: ServerResponse, query: URLSearchParams, method: string) => void = () => undefined;
  let asked = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store.test');
    request.resume();
    // The bucket itself is there.
    if (pathname === '/files' && request.method === 'HEAD') return void response.end();
    asked++;
    answer(response, searchParams, request.method ?? '');
  });
  const clock = new TestClock();
  let files: Files;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    files = await openFiles(`s3://key:secret@files?${new URLSearchParams({ endpoint }).toString()}`, { clock });
  });
  beforeEach(() => void (asked = 0));
  afterAll(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  /** Lets the time pass that is waited for, until the work has ended. */
  const inTime = async (work: Promise<unknown>, step = 1000): Promise<unknown> => {
    let isOver = false;
    const ended = work.catch((error: unknown) => error).finally(() => (isOver = true));
    while (!isOver) {
      await pause(2);
      clock.advance(step);
    }
    return ended;
  };
  const listed = async () => {
    const keys: string[] = [];
    for await (const { key } of files.list('')) keys.push(key);
    return keys;
  };
  const entries = (count: number, key = 'k') =>
    `<Contents><Key>${key}</Key><Size>1</Size><LastModified>2026-11-21T06:00:00Z</LastModified></Contents>`.repeat(
      count,
    );
  const page = (content: string, token: string) =>
    `<ListBucketResult><IsTruncated>true</IsTruncated>${content}<NextContinuationToken>${token}</NextContinuationToken></ListBucketResult>`;
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    'stores a file': () => files.put('new', Buffer.alloc(1000)),
    'opens one': () => files.open('there'),
    'removes one': () => files.remove('there'),
  };

  describe.each(Object.entries(works))('where somebody %s', (_title, work) => {
    it('is away, and was not read on, after an error without an end', async () => {
      let taken = () => 0;
      answer = (response) => (taken = pour(response.writeHead(500, XML), Buffer.alloc(65_536, 'x')));
      expect(await inTime(work())).toBeInstanceOf(FilesAway);
      expect(taken()).toBeLessThan(8 * MIB);
    });

    it('is away after a bounded time when an error never ends', async () => {
      const began = clock.nowMs();
      answer = (response) => void response.writeHead(500, XML).write('<Error>');
      expect(await inTime(work())).toBeInstanceOf(FilesAway);
      expect(clock.nowMs() - began).toBeLessThan(60_000);
      expect(asked).toBe(1);
    });
  });

  it('blocks nobody with an error of a hundred thousand tags', async () => {
    answer = (response) => response.writeHead(500, XML).end('<a>'.repeat(100_000));
    const began = performance.now();
    expect(await inTime(files.open('there'))).toBeInstanceOf(FilesAway);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('gives no file without a length: neither an endless one, nor an error with status 200', async () => {
    answer = (response) => void pour(response.writeHead(200), Buffer.alloc(65_536, 'x'));
    expect(await inTime(files.open('there'))).toBeInstanceOf(FilesAway);
    answer = (response) => response.writeHead(200, { ...XML, 'transfer-encoding': 'chunked' }).end('<Error></Error>');
    expect(await inTime(files.open('there'))).toBeInstanceOf(FilesAway);
  });

  it('gives no file that comes drop by drop, and one that comes slowly', async () => {
    let pieces = 10_000;
    const drops = (bytes: number) => (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': bytes * pieces });
      const next = (left: number) => {
        if (left === 0) response.end();
        else if (!response.destroyed) response.write('x'.repeat(bytes), () => clock.after(1000, () => next(left - 1)));
      };
      next(pieces);
    };
    const read = async () => {
      const opened = await files.open('there');
      return opened && (await buffer(opened.stream)).length;
    };
    answer = drops(1);
    const began = clock.nowMs();
    expect(await inTime(read(), 500)).toBeInstanceOf(Error);
    expect(clock.nowMs() - began).toBeLessThan(120_000);
    pieces = 100;
    answer = drops(20_000);
    expect(await inTime(read(), 500)).toBe(2_000_000);
  });

  it('is not listed for ever when it gives the same page again', async () => {
    answer = (response) => response.writeHead(200, XML).end(page(entries(1000), 'again'));
    expect(await inTime(listed(), 20)).toMatchObject({ message: expect.stringContaining('again') });
    expect(asked).toBeLessThan(5);
  });

  it('is not listed for ever when it gives pages of nothing', async () => {
    answer = (response) => response.writeHead(200, XML).end(page('', String(asked)));
    expect(await inTime(listed(), 20)).toMatchObject({ message: expect.stringContaining('without an end') });
    expect(asked).toBeLessThan(1100);
  });

  it('is not listed when a page never ends', async () => {
    answer = (response) => void pour(response.writeHead(200, XML), entries(1000));
    expect(await inTime(listed(), 20)).toBeInstanceOf(Error);
  });

  it('blocks nobody with a page of tags that do not end', async () => {
    answer = (response) => response.writeHead(200, XML).end('<a>'.repeat(60_000));
    const began = performance.now();
    expect(await inTime(listed(), 20)).toBeInstanceOf(Error);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('gives the same unfinished uploads again and again, and is not asked for ever', async () => {
    const next = '<NextKeyMarker>k</NextKeyMarker><NextUploadIdMarker>u</NextUploadIdMarker>';
    const again = `<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>${next}</ListMultipartUploadsResult>`;
    answer = (response) => response.writeHead(200, XML).end(again);
    expect(await inTime(files.sweepUnfinished(0), 0)).toBeInstanceOf(Error);
    expect(asked).toBe(2);
  });
});

describe('the XML of a store', () => {
  it.each([
    '',
    '<?xml version="1.0" encoding="UTF-8"?>\n<a xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><b>x > y</b><c/></a>',
    `<a>${'<b>&lt;</b>'.repeat(20_000)}</a>`,
  ])('is read', (text) => expect(isPlainXml(text)).toBe(true));

  it.each(['<a>', '<a><b></a></b>', '</a>', '<a <b></b>', '<a', '<!-- -->', '<a>'.repeat(9) + '</a>'.repeat(9)])(
    'is not read when it is %s',
    (text) => expect(isPlainXml(text)).toBe(false),
  );

  it('is not read when it has too many tags', () => expect(isPlainXml('<a/>'.repeat(50_001))).toBe(false));
});
