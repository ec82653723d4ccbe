import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RawBody } from '#kernel/endpoint';
import { asId, type MessageId } from '#kernel/ids';
import type { WireMessage } from '../wire.ts';
import { replyWith } from './reply.ts';

const ids = (count: number) => Array.from({ length: count }, (_none, n) => asId<MessageId>(n + 1));
/** Leaves out every seventh message, as if it had been deleted before it was shown. */
const left = (some: readonly MessageId[]) => some.filter((id) => id % 7 > 0);
const show = async (some: readonly MessageId[]) =>
  left(some).map((id) => ({ id, content: `ä${'x'.repeat(id % 900)}` }) as unknown as WireMessage);

describe('an answer with messages', () => {
  it('of a page is made at once', async () => {
    const reply = await replyWith({ anchor: 1 }, ids(250), show, { acceptsGzip: true, ignoredParameters: [] });
    expect(reply).toEqual({ anchor: 1, messages: await show(ids(250)) });
  });

  it.each([true, false])('of thousands is made in parts, and says the same (compressed: %s)', async (acceptsGzip) => {
    for (const count of [251, 500, 2600]) {
      const request = { acceptsGzip, ignoredParameters: ['colour'] };
      const reply = await replyWith({ anchor: 1 }, ids(count), show, request);
      if (!(reply instanceof RawBody) || !Buffer.isBuffer(reply.body)) throw new Error('one body was expected');
      const text = acceptsGzip ? gunzipSync(reply.body) : reply.body;
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
    const reply = await replyWith({}, ids(300), none, { acceptsGzip: false, ignoredParameters: [] });
    expect(JSON.parse(String((reply as RawBody).body))).toMatchObject({ result: 'success', messages: [] });
  });

  it('lets others have their turn between its parts', async () => {
    let turns = 0;
    const count = () => void (turns++, (timer = setImmediate(count)));
    let timer = setImmediate(count);
    await replyWith({}, ids(2500), show, { acceptsGzip: false, ignoredParameters: [] });
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(9);
  });
});
