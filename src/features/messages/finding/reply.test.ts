import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RawBody } from '#kernel/endpoint';
import { asId, type MessageId } from '#kernel/ids';
import { inChunks } from '#kernel/store';
import type { WireMessage } from '../wire.ts';
import { divided } from './parts.ts';
import { replyWith } from './reply.ts';

const room = { begin: () => undefined, take: () => undefined };
const ids = (count: number) => Array.from({ length: count }, (_none, n) => asId<MessageId>(n + 1));
/** Leaves out every seventh message, as if it had been deleted before it was shown. */
const left = (some: readonly MessageId[]) => some.filter((id) => id % 7 > 0);
const parts = (count: number) => inChunks(ids(count), 250);
const show = async (some: readonly MessageId[]) =>
  left(some).map((id) => ({ id, content: `ä${'x'.repeat(id % 900)}` }) as unknown as WireMessage);

const content = { fields: { anchor: 1 }, show };
/** The bytes of an answer that was made in parts. */
function wholeOf(reply: unknown): Buffer {
  if (!(reply instanceof RawBody) || !Array.isArray(reply.body)) throw new Error('a body in parts was expected');
  return Buffer.concat(reply.body);
}

describe('an answer with messages', () => {
  it('of a page is made at once', async () => {
    const reply = await replyWith(parts(250), content, { acceptsGzip: true, ignoredParameters: [], room });
    expect(reply).toEqual({ anchor: 1, messages: await show(ids(250)) });
  });

  it.each([true, false])('of thousands is made in parts, and says the same (compressed: %s)', async (acceptsGzip) => {
    for (const count of [251, 500, 2600]) {
      const request = { acceptsGzip, ignoredParameters: ['colour'], room };
      const reply = await replyWith(parts(count), content, request);
      const text = acceptsGzip ? gunzipSync(wholeOf(reply)) : wholeOf(reply);
      expect(JSON.parse(String(text))).toEqual({
        result: 'success',
        msg: '',
        anchor: 1,
        ignored_parameters_unsupported: ['colour'],
        messages: await show(ids(count)),
      });
    }
  });

  it('has no messages where all of them have gone', async () => {
    const none = async () => [];
    const reply = await replyWith(
      parts(300),
      { fields: {}, show: none },
      { acceptsGzip: false, ignoredParameters: [], room },
    );
    expect(JSON.parse(String(wholeOf(reply)))).toMatchObject({ result: 'success', messages: [] });
  });

  it('by ID is an object, also of parts', async () => {
    const byId = async (some: readonly MessageId[]) => Object.fromEntries(some.map((id) => [String(id), { id }]));
    const request = { acceptsGzip: false, ignoredParameters: [], room };
    const reply = await replyWith(parts(600), { fields: {}, show: byId }, request);
    expect(JSON.parse(String(wholeOf(reply)))['messages']).toEqual(await byId(ids(600)));
  });

  it('takes room for each part before the next is made', async () => {
    const made: number[] = [];
    const full = { begin: () => undefined, take: () => void (made.length === 3 && expect.fail('full')) };
    const counted = async (some: readonly MessageId[]) => (made.push(some.length), show(some));
    for (const acceptsGzip of [true, false]) {
      made.length = 0;
      const request = { acceptsGzip, ignoredParameters: [], room: full };
      await expect(replyWith(parts(2500), { fields: {}, show: counted }, request)).rejects.toThrow('full');
      expect(made).toEqual([250, 250, 250]);
    }
  });

  it('takes the same room when it is made again', async () => {
    const once = { taken: 0, begin: () => (once.taken = 0), take: (bytes: number) => void (once.taken += bytes) };
    const request = { acceptsGzip: false, ignoredParameters: [], room: once };
    const whole = wholeOf(await replyWith(parts(600), content, request));
    await replyWith(parts(600), content, request);
    expect(once.taken).toBe(whole.length);
  });

  it('has parts of few heavy messages', () => {
    const weights = ids(600).map((id) => ({ id, bytes: id === 300 ? 5000 : id > 590 ? 400 : 1 }));
    const sizes = divided(weights, 1000).map((part) => part.length);
    expect(sizes).toEqual([250, 49, 1, 250, 42, 2, 2, 2, 2]);
    expect(divided(weights, 1000).flat()).toEqual(ids(600));
  });

  it('lets others have their turn between its parts', async () => {
    let turns = 0;
    const count = () => void (turns++, (timer = setImmediate(count)));
    let timer = setImmediate(count);
    await replyWith(parts(2500), content, { acceptsGzip: false, ignoredParameters: [], room });
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(9);
  });
});
