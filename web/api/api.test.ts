import { describe, expect, it, onTestFinished } from 'vitest';
import { speak } from '../words/index.ts';
import { Api, type ApiOptions, CallFailure, type Clock } from './index.ts';

/** A clock whose sleeps end at once, and are counted. */
function quickClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  return { slept, now: () => 0, random: () => 0, sleep: (ms) => (slept.push(ms), Promise.resolve()) };
}

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });
const success = (body: object = {}) => json(200, { result: 'success', msg: '', ...body });

/** An API over answers that come one after the other, and what was asked. */
function open(answers: readonly (() => Response | Promise<Response>)[], options: Partial<ApiOptions> = {}) {
  const asked: { url: string; init: RequestInit }[] = [];
  const clock = quickClock();
  const api = new Api({
    clock,
    fetch: async (url, init) => {
      asked.push({ url, init });
      const answer = answers[asked.length - 1];
      if (!answer) throw new TypeError('Failed to fetch');
      return answer();
    },
    token: (refreshed) => Promise.resolve(refreshed ? 'new' : 'old'),
    ...options,
  });
  return { api, asked, clock };
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof CallFailure ? error : undefined),
  );
const bodyOf = (init: RequestInit | undefined) =>
  init?.body instanceof URLSearchParams ? init.body.toString() : undefined;

/** Without it a browser that is refused asks for a password of its own. */
const ASKING = { 'x-requested-with': 'XMLHttpRequest' };

describe('calls', () => {
  it('are refused with a sentence in the language of the page, and the message that the server sent', async () => {
    const refuse = (msg: string) => () => json(400, { result: 'error', code: 'BAD_REQUEST', msg });
    const { api } = open(['Wrong password!', 'Wrong password!', 'Something newer'].map(refuse));
    const ask = () => failureOf(api.call('GET', '/drafts', {}));
    const message = 'Wrong password!';
    expect(await ask()).toMatchObject({ message, sentence: message });
    await speak('de');
    onTestFinished(() => speak('en'));
    expect(await ask()).toMatchObject({ message, sentence: 'Das Passwort ist falsch.' });
    expect(await ask()).toMatchObject({ message: 'Something newer', sentence: 'Something newer' });
  });

  it('fill the path, and send texts as they are and everything else as JSON', async () => {
    const { api, asked } = open([() => success({ id: 5 }), () => success(), () => success({ messages: [] })]);
    expect((await api.call('POST', '/messages', { type: 'direct', to: '[7]', content: 'hi' })).id).toBe(5);
    await api.call('POST', '/messages/{message_id}/reactions', { message_id: 9, emoji_name: 'tada' });
    await api.call('GET', '/messages', {
      anchor: 'newest',
      num_before: 2,
      narrow: [{ operator: 'channel', operand: 5 }],
      anchor_date: undefined,
    });
    expect(bodyOf(asked[0]?.init)).toBe('type=direct&to=%5B7%5D&content=hi');
    expect(asked[0]?.init.headers).toEqual({ ...ASKING, 'x-csrftoken': 'old' });
    expect(asked[1]).toMatchObject({ url: '/api/v1/messages/9/reactions' });
    expect(bodyOf(asked[1]?.init)).toBe('emoji_name=tada');
    expect(asked[2]?.url).toBe(
      '/api/v1/messages?anchor=newest&num_before=2&narrow=%5B%7B%22operator%22%3A%22channel%22%2C%22operand%22%3A5%7D%5D',
    );
    expect(asked[2]?.init.headers).toEqual(ASKING);
  });

  it('are checked against the declarations of the endpoints', async () => {
    const { api } = open([() => success(), () => success()]);
    // @ts-expect-error a parameter is missing
    await api.call('POST', '/messages/{message_id}/reactions', { message_id: 5 });
    // @ts-expect-error no such operation
    await api.call('POST', '/massages', {});
  });

  it('throw the sentence of the server, with its code', async () => {
    const { api } = open([() => json(400, { result: 'error', msg: 'Invalid message(s)', code: 'BAD_REQUEST' })]);
    expect(await failureOf(api.call('DELETE', '/messages/{message_id}', { message_id: 1 }))).toMatchObject({
      kind: 'refused',
      code: 'BAD_REQUEST',
      message: 'Invalid message(s)',
      status: 400,
    });
  });

  it.each<[string, () => Response]>([
    ['HTML', () => new Response('<html>Bad gateway</html>', { status: 502 })],
    ['HTML with status 200', () => new Response('<html>Please log in to the hotel</html>')],
    ['nothing', () => new Response('', { status: 200 })],
    ['JSON that breaks off', () => new Response('{"result":"succ')],
    ['JSON of something else', () => json(200, { hello: 1 })],
    ['a list', () => json(200, [])],
    ['null', () => new Response('null')],
    ['an error of the server', () => json(500, { result: 'error', msg: 'Internal server error', code: 'X' })],
  ])('count %s as no answer', async (_what, answer) => {
    const { api } = open([answer]);
    expect((await failureOf(api.call('GET', '/streams', {})))?.kind).toBe('away');
  });

  it('count a network that fails, and an answer that does not come, as no answer', async () => {
    expect((await failureOf(open([]).api.call('GET', '/streams', {})))?.code).toBe('OFFLINE');
    const hanging = open([], {
      fetch: (_url, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
    });
    expect((await failureOf(hanging.api.call('GET', '/streams', {}, { timeoutMs: 5 })))?.code).toBe('TIMEOUT');
  });

  it('wait as they are told, with a word from the second time or where it is long, and not for ever', async () => {
    const limited = () => json(429, { result: 'error', msg: 'slow down', code: 'RATE_LIMIT_HIT', 'retry-after': 7 });
    const told: number[] = [];
    const twice = open([limited, limited, () => success()], { onLimited: (seconds) => told.push(seconds) });
    await twice.api.call('POST', '/mark_all_as_read', {});
    expect(twice.clock.slept).toEqual([7000, 7000]);
    expect(told).toEqual([7]);
    const long = () => json(429, { result: 'error', msg: 'slow down', code: 'RATE_LIMIT_HIT', 'retry-after': 40 });
    const once = open([long, () => success()], { onLimited: (seconds) => told.push(seconds) });
    await once.api.call('POST', '/mark_all_as_read', {});
    expect(told).toEqual([7, 40]);
    const always = open(Array.from({ length: 50 }, () => limited));
    expect((await failureOf(always.api.call('POST', '/mark_all_as_read', {})))?.code).toBe('RATE_LIMIT_HIT');
    expect(always.asked.length).toBe(6);
  });

  it('fetch a new token once when the old one is refused', async () => {
    const stale = () => json(403, { result: 'error', msg: 'CSRF', code: 'CSRF_FAILED' });
    const once = open([stale, () => success()]);
    await once.api.call('POST', '/mark_all_as_read', {});
    expect(once.asked.map(({ init }) => init.headers)).toEqual(
      ['old', 'new'].map((token) => ({ ...ASKING, 'x-csrftoken': token })),
    );
    const never = open([stale, stale, stale]);
    expect((await failureOf(never.api.call('POST', '/mark_all_as_read', {})))?.code).toBe('CSRF_FAILED');
    expect(never.asked.length).toBe(2);
  });

  it('wait until the person has shown who they are, once, and are refused where they would not', async () => {
    const asked = () => json(403, { result: 'error', msg: 'Confirm first', code: 'CONFIRMATION_REQUIRED' });
    const willing = open([asked, () => success({ api_key: 'x' })], { onConfirm: () => Promise.resolve(true) });
    expect(await willing.api.call('POST', '/users/me/api_key', {})).toMatchObject({ api_key: 'x' });
    expect(willing.asked.length).toBe(2);
    const unwilling = open([asked, asked], { onConfirm: () => Promise.resolve(false) });
    expect((await failureOf(unwilling.api.call('POST', '/users/me/api_key', {})))?.code).toBe('CONFIRMATION_REQUIRED');
    expect(unwilling.asked.length).toBe(1);
    const never = open([asked, asked, asked], { onConfirm: () => Promise.resolve(true) });
    expect((await failureOf(never.api.call('POST', '/users/me/api_key', {})))?.kind).toBe('refused');
    expect(never.asked.length).toBe(2);
  });

  it('say that the session has ended', async () => {
    let ended = 0;
    const { api } = open([() => json(401, { result: 'error', msg: 'Not logged in', code: 'UNAUTHORIZED' })], {
      onSignedOut: () => (ended += 1),
    });
    expect((await failureOf(api.call('GET', '/streams', {})))?.kind).toBe('signedOut');
    expect(ended).toBe(1);
  });
});
