import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { join, pack, piece } from './index.ts';

describe('gzip', () => {
  it('joins pieces into one stream that unpacks to all of them', async () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 500 }),
      fc.string({ maxLength: 50 }).map((text) => Buffer.from(text.repeat(300))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const packed = await Promise.all(pieces.map((bytes) => pack(Buffer.from(bytes))));
        expect(gunzipSync(join(packed))).toEqual(Buffer.concat(pieces));
      }),
    );
  });

  it('joins a remembered piece wherever it stands', async () => {
    const [opening, long] = await Promise.all(['{', 'long '.repeat(500)].map(piece));
    const again = await piece('{');
    const pieces = [opening, long, again, long, again].flatMap((one) => one ?? []);
    expect(again).toBe(opening);
    expect(gunzipSync(join(pieces.map((one) => one.packed)))).toEqual(Buffer.concat(pieces.map((one) => one.bytes)));
  });
});
