import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combined, join, pack, segment, segmentList } from './index.ts';

describe('gzip', () => {
  it('joins pieces into one stream that unpacks to all of them', async () => {
    const segment = fc.oneof(
      fc.uint8Array({ maxLength: 500 }),
      fc.string({ maxLength: 50 }).map((text) => Buffer.from(text.repeat(300))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 6 }), async (segments) => {
        const packed = await Promise.all(segments.map((bytes) => pack(Buffer.from(bytes))));
        expect(gunzipSync(Buffer.concat(join(packed)))).toEqual(Buffer.concat(segments));
      }),
    );
  });

  it('takes several pieces for one', async () => {
    const texts = ['{', 'long '.repeat(500), 'above what is compressed at once '.repeat(2500), '}', ''];
    const [first, ...rest] = (await Promise.all(texts.map(segment))).map((one) => one.packed);
    if (!first) throw new Error('there are pieces');
    expect(gunzipSync(Buffer.concat(join([first, combined(rest)]))).toString() === texts.join('')).toBe(true);
    expect(gunzipSync(Buffer.concat(join([combined([])]))).length).toBe(0);
  });

  it('joins a remembered piece wherever it stands', async () => {
    const [opening, long] = await Promise.all(['{', 'long '.repeat(500)].map(segment));
    const again = await segment('{');
    const segments = [opening, long, again, long, again].flatMap((one) => one ?? []);
    expect(again).toBe(opening);
    const stream = Buffer.concat(join(segments.map((one) => one.packed)));
    expect(gunzipSync(stream).toString()).toBe(segments.map((one) => one.text).join(''));
  });

  it('cuts any neighbours out of a strip as one piece, wherever they stand', async () => {
    const texts = ['short', 'long '.repeat(500), '', 'longer '.repeat(1000), 'last'];
    const laid = await segmentList(texts, '},{');
    const pairs = texts.flatMap((_, first) =>
      texts.slice(first).map((_text, length) => [first, first + length] as const),
    );
    const before = await segment('what stands before');
    for (const [first, last] of pairs) {
      const range = laid.range(first, last);
      const followed = laid.range(first, last, true);
      const expected = texts.slice(first, last + 1).join('},{');
      expect(range.text === expected && followed.text === `${expected}},{`).toBe(true);
      const stream = Buffer.concat(join([before.packed, followed.packed, range.packed]));
      expect(gunzipSync(stream).toString() === `${before.text}${expected}},{${expected}`).toBe(true);
    }
    expect(() => laid.range(0, texts.length)).toThrow(RangeError);
  });

  it('lays what lies in another strip without compressing it again', async () => {
    const [first, second, third] = ['one '.repeat(500), 'two '.repeat(500), 'three '.repeat(500)];
    const before = await segmentList([first, second], ',');
    expect(before.refOf(third, 1)).toBe(third);
    expect(before.refOf(second, 1)).toBe(before.refs[1]);
    const laid = await segmentList([third, before.refOf(second, 1), first], ',');
    const whole = gunzipSync(Buffer.concat(join([laid.range(0, 2).packed]))).toString();
    expect(whole === `${third},${second},${first}`).toBe(true);
    expect(laid.range(1, 1).text).toBe(second);
  });
});
