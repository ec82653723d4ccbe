import { gunzipSync } from 'node:zlib';
import { join, pack } from '#kernel/gzip';
import { expect, it } from 'vitest';
import { Joiner, type Members } from './joined.ts';

function members(text: string): Members {
  const bytes = Buffer.from(text);
  return { text: bytes, packed: pack(bytes) };
}

/** What a list of members says, as it is and compressed. */
async function said(list: readonly Members[]): Promise<readonly [string, string]> {
  const packed = await Promise.all(list.map((one) => one.packed));
  return [Buffer.concat(list.map(({ text }) => text)).toString(), gunzipSync(Buffer.concat(join(packed))).toString()];
}

it('makes one of what is asked for again, and says the same', async () => {
  const joiner = new Joiner();
  const parts = [members(',"1":{}'), members(',"2":{}'.repeat(200)), members('')];
  const expected = parts.map(({ text }) => text.toString()).join('');
  expect(joiner.join(parts)).toEqual(parts);
  const again = joiner.join([...parts]);
  expect(again).toHaveLength(1);
  expect(await said(again)).toEqual([expected, expected]);
  expect(joiner.join(parts)[0]).toBe(again[0]);
});

it('gives what was asked for, whatever was before', async () => {
  const joiner = new Joiner();
  const [a, b, c] = [members('a'), members('b'), members('c')];
  for (const list of [[a, b], [a, b], [b, a], [b, a], [a, b, c], [a, b], [a], [], [a, b]]) {
    const expected = list.map(({ text }) => text.toString()).join('');
    expect(await said(joiner.join(list))).toEqual([expected, expected]);
  }
});
