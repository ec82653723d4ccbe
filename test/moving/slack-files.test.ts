import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ArchiveFiles, type SlackFetching, slackSource, type Source } from '#features/imports';
import { systemClock } from '#kernel/clock';
import { guardedClient } from '#kernel/outbound';
import { buffer } from 'node:stream/consumers';
import { openScratch } from '../../src/commands/archives/scratch.ts';
import type { Body } from '../support/client.ts';
import { SLACK_CERTIFICATE, SLACK_KEY } from '../support/certificate.ts';

const HOST = 'https://files.slack.com';

/** Slack as far as files go: tests say how it answers, and look what it was asked. */
describe('files that an export of Slack only names', () => {
  let slack: Server;
  let answer: (path: string, response: ServerResponse) => void;
  const asked: { path: string; token: string | undefined }[] = [];
  const waited: number[] = [];
  const made: Source[] = [];
  let fetching: SlackFetching;

  beforeAll(async () => {
    slack = createServer({ key: SLACK_KEY, cert: SLACK_CERTIFICATE }, (request, response) => {
      const { url = '', headers } = request;
      asked.push({ path: url, token: headers.authorization });
      answer(url, response);
    });
    slack.listen(0, '127.0.0.1');
    await once(slack, 'listening');
    const { port } = slack.address() as AddressInfo;
    const outbound = guardedClient({
      clock: systemClock,
      userAgent: 'test',
      authorities: [SLACK_CERTIFICATE],
      network: {
        resolve: () => Promise.resolve(['93.184.216.34']),
        dial: () => connect({ host: '127.0.0.1', port }),
      },
    });
    const wait = (ms: number) => Promise.resolve(void waited.push(ms));
    fetching = { outbound, clock: systemClock, wait, maxBytes: 5000, token: 'xoxb-a-token' };
  });
  afterEach(async () => {
    asked.splice(0);
    waited.splice(0);
    for (const source of made.splice(0)) await source.close?.();
  });
  afterAll(async () => {
    slack.closeAllConnections();
    await once(slack.close(), 'close');
  });

  /** An import of messages with one file each. */
  const read = async (addresses: readonly string[], more: Partial<SlackFetching> = {}) => {
    const found: Readonly<Record<string, unknown>> = {
      'users.json': [{ id: 'U1', name: 'wren', profile: { real_name: 'Wanda Wren' } }],
      'channels.json': [{ id: 'C1', name: 'general', created: 1_700_000_000, creator: 'U1', members: ['U1'] }],
      'general/2024-05-01.json': addresses.map((url_private_download, index) => ({
        type: 'message',
        user: 'U1',
        ts: `${1_714_550_400 + index}.0001`,
        text: '',
        files: [{ id: `F${index}`, name: 'egg.png', permalink: 'https://birds.test/egg.png', url_private_download }],
      })),
    };
    const files: ArchiveFiles = {
      open: () => Promise.resolve(undefined),
      has: (path) => Promise.resolve(path in found),
      part: () => Promise.resolve(new Uint8Array()),
      scratch: openScratch,
      json: (path) => Promise.resolve(found[path]),
      list: (folder) => Promise.resolve(folder === 'general' ? ['2024-05-01.json'] : []),
    };
    const source = await slackSource(files, { ...fetching, ...more });
    made.push(source);
    const { zerver_message: messages } = (await source.json('messages-000001.json')) as Body;
    const { zerver_attachment: attachments } = (await source.json('attachment.json')) as Body;
    const bytes: string[] = [];
    for (const { path_id } of attachments as Body[]) {
      const opened = await source.open(`uploads/${path_id}`);
      bytes.push(opened ? (await buffer(opened)).toString() : 'none');
    }
    const contents = (messages as Body[]).map(({ content }) => String(content));
    return { contents, bytes, remarks: source.report?.remarks ?? [] };
  };
  const LINK = '[egg.png](https://birds.test/egg.png)';

  it('come with the token, whole, and are linked here', async () => {
    answer = (path, response) => void response.end(`egg of ${path} ${'x'.repeat(3000)}`);
    const { contents, bytes, remarks } = await read([`${HOST}/a`, `${HOST}/b`]);
    expect(bytes.map((one) => one.slice(0, 10))).toEqual(['egg of /a ', 'egg of /b ']);
    expect(bytes.map((one) => one.length)).toEqual([3010, 3010]);
    for (const content of contents) expect(content).toMatch(/^\[egg\.png\]\(\/user_uploads\/1\//);
    expect(asked).toEqual(['/a', '/b'].map((path) => ({ path, token: 'Bearer xoxb-a-token' })));
    expect(remarks).toEqual([]);
  });

  it('come by the token in their address where there is no other, and are not asked for without any', async () => {
    answer = (_path, response) => void response.end('egg');
    const { contents, bytes } = await read([`${HOST}/a?t=xoxe-1`, `${HOST}/b`], { token: undefined });
    expect(asked).toEqual([{ path: '/a?t=xoxe-1', token: undefined }]);
    expect(bytes).toEqual(['egg']);
    expect(contents[1]).toBe(LINK);
  });

  it('are asked for at Slack alone, by https', async () => {
    const addresses = ['http://files.slack.com/a', 'https://files.slack.com.evil.test/a', 'https://birds.test/a', 'x'];
    const { contents } = await read(addresses);
    expect(asked).toEqual([]);
    expect(contents).toEqual(addresses.map(() => LINK));
  });

  it('are asked for again after a while where Slack asks for that or fails, a bounded time', async () => {
    let turn = 0;
    answer = (_path, response) => {
      turn++;
      if (turn === 1) response.writeHead(429, { 'retry-after': '7' }).end();
      else if (turn === 2) response.writeHead(429, { 'retry-after': '86400' }).end();
      else if (turn === 3) response.destroy();
      else response.end('egg');
    };
    expect((await read([`${HOST}/a`])).bytes).toEqual(['egg']);
    expect(waited.slice(0, 2)).toEqual([7000, 60_000]);
    expect(waited).toHaveLength(3);
  });

  it.each<[string, (response: ServerResponse) => void, string, number]>([
    ['gone', (response) => void response.writeHead(404).end(), 'it is there no more', 1],
    [
      'closed',
      (response) => void response.writeHead(302, { location: '/login' }).end(),
      'the token does not open it',
      1,
    ],
    [
      'a login page',
      (response) => void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>'),
      'the token does not open it',
      1,
    ],
    ['too large', (response) => void response.end('x'.repeat(5001)), 'it is larger than files may be here', 1],
    ['away', (response) => void response.writeHead(500).end(), 'Slack does not answer, or asks to wait', 4],
  ])('stay links where one is %s, and are named', async (_what, act, why, times) => {
    answer = (_path, response) => act(response);
    const { contents, bytes, remarks } = await read([`${HOST}/a`]);
    expect([contents, bytes]).toEqual([[LINK], []]);
    expect(remarks).toEqual([`files left at Slack: 1 (general/2024-05-01.json[0]: ${why})`]);
    expect(asked).toHaveLength(times);
  });

  it('are not asked for any more when ten in a row have not come', async () => {
    answer = (_path, response) => void response.writeHead(404).end();
    const { remarks } = await read(Array.from({ length: 13 }, (_, index) => `${HOST}/${index}`));
    expect(asked).toHaveLength(10);
    expect(remarks[0]).toMatch(/^files left at Slack: 13 /);
  });
});
