import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openLog } from './index.ts';

describe('the query strings of addresses (security#under-attack)', () => {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/a?key=secret' });
  const plain = new Error('GET /a?key=secret failed');
  const cause = new Error('outer', { cause: plain });
  const noted = Object.assign(new Error('x'), {
    url: 'http://h.test/?key=secret',
    request,
    options: { path: '/?secret' },
  });

  it.each([
    ['an error', { err: plain }],
    ['its cause', { err: cause }],
    ['its fields', { err: noted }],
    ['an error under another name', { reason: plain }],
    ['several errors', { err: new AggregateError([plain], 'all failed') }],
    ['a request', { req: request }],
    ['an address', { url: new URL('http://h.test/a?key=secret') }],
    ['a text in a list', { tried: ['////?secret', 'http://[?secret'] }],
    ['what is no error', { err: '/a?secret' }],
  ])('are not written with %s', (_what, fields) => {
    let written = '';
    const log = openLog('debug', { write: (line: string) => (written += line) });
    for (const one of [log, log.room('web')])
      for (const level of ['error', 'warn', 'info', 'debug'] as const) one[level](fields, `${level} of a request`);
    expect(written.split('\n').length).toBeGreaterThan(7);
    expect(written).not.toContain('secret');
  });

  it('leave everything else as it was', () => {
    let written = '';
    const log = openLog('info', { write: (line: string) => (written += line) });
    log.info({ count: 3, list: [1, null, true], text: 'is it? yes', path: '/a/b' }, 'said');
    log.error({ err: Object.assign(new TypeError('no number'), { code: 'E_NO' }) }, 'failed');
    expect(written).toContain('"count":3,"list":[1,null,true],"text":"is it? yes","path":"/a/b"');
    expect(written).toContain('"type":"TypeError","message":"no number","stack":"TypeError: no number');
    expect(written).toContain('"code":"E_NO"');
  });
});
