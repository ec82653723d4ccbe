import fc from 'fast-check';
import { expect, it } from 'vitest';
import { least, longestTurnMs } from '../../../test/support/processor.ts';
import { parseShortened, slimJson } from './slim-json.ts';

const slimmed = async (value: unknown) => JSON.parse(String(await slimJson(Buffer.from(JSON.stringify(value)))));

it('leaves small texts unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
      const text = JSON.stringify(value, null, 2);
      expect(String(await slimJson(Buffer.from(text)))).toBe(text);
    }),
    { numRuns: 200 },
  );
});

it.each([
  ['a letter', 'a'],
  ['a character of four bytes', '😀'],
  ['an escape', '\n'],
  ['a quotation mark', '"'],
  ['a backslash', '\\'],
  ['an escaped control character', '\u0001'],
])('cuts a long string of %s without breaking it, and leaves everything else unchanged', async (_what, character) => {
  for (const before of ['', 'x', 'xy', 'xyz']) {
    const { first, long, last } = await slimmed({
      first: [1],
      long: before + character.repeat(90_000),
      last: { ok: '}"' },
    });
    expect([first, last]).toEqual([[1], { ok: '}"' }]);
    expect((before + character.repeat(90_000)).startsWith(long.replace(/\uFFFD$/, ''))).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(long))).toBeGreaterThan(59_000);
    expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(61_000);
  }
});

it('ends long lists and objects early, and continues after them', async () => {
  const list = Array.from({ length: 20_000 }, (_, at): [number, object] => [at, { at }]);
  const { a, b, c } = await slimmed({
    a: list,
    b: Object.fromEntries(list.map(([at]) => [`k${at}`, [at]])),
    c: 'end',
  });
  expect(a).toEqual(list.slice(0, 5_000));
  expect(Object.keys(b)).toHaveLength(5_000);
  expect(c).toBe('end');
});

it('shortens ten mebibytes of anything, in stretches of less than 50 ms', async () => {
  const mib = 10 * 2 ** 20;
  const wide = JSON.stringify({
    a: Array.from({ length: 4_000 }, () => Array.from({ length: 300 }, () => ({ k: 'v' }))),
    z: 1,
  });
  const texts = [
    wide,
    JSON.stringify({ text: 'x'.repeat(mib), z: 1 }),
    JSON.stringify({ text: '"'.repeat(mib / 2), z: 1 }),
    JSON.stringify({ text: '\\'.repeat(mib / 2), z: 1 }),
    `[${'1,'.repeat(mib / 2)}1]`,
    '['.repeat(mib),
    '"'.repeat(mib),
  ];
  for (const text of texts) {
    const bytes = Buffer.from(text);
    let result = '';
    const shorten = async () => {
      result = String(await slimJson(bytes));
    };
    const longest = await least(250, () => longestTurnMs(shorten));
    if (text.startsWith('{')) expect(JSON.parse(result).z).toBe(1);
    if (text.startsWith('{') || text.startsWith('[1')) expect(result.length).toBeLessThan(1.6 * 2 ** 20);
    // Garbage collection takes several times as long as a stretch; in one stretch, all of it would take a second.
    expect(longest).toBeLessThan(250);
  }
});

it('looks at a bounded number of backslashes before a quotation mark', async () => {
  const parsed = (backslashes: number) => parseShortened(Buffer.from(`["${'\\'.repeat(backslashes)}"x", 1]`));
  expect(await parsed(200_001)).toMatchObject({ value: [expect.any(String), 1] });
  expect(await parsed(600_001)).toBe(undefined);
});

it('parses nothing that is still too large, or no UTF-8', async () => {
  expect(await parseShortened(Buffer.from(`[${' '.repeat(3 * 2 ** 20)}]`))).toBe('too large');
  expect(await parseShortened(Buffer.alloc(10 * 2 ** 20, 0xff))).toBe('too large');
});
