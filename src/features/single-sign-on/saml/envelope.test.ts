import { expect, it } from 'vitest';
import { least, processorMs } from '../../../../test/support/processor.ts';
import { readEnvelope } from './envelope.ts';
import { elementsOf } from './strict.ts';

it.each(['Assertion', 'a'])(
  'refuses thousands of elements %s within one another at once (security#asvs, 15.1.3)',
  async (name) => {
    const tag = `<${name}>`;
    const xml = `<Response>${tag.repeat(Math.floor(47_000 / tag.length))}`;
    const answer = Buffer.from(xml).toString('base64');
    const refuse = () => expect(() => readEnvelope(answer)).toThrow(/./);
    expect(await least(20, () => processorMs(refuse))).toBeLessThan(20);
  },
);

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_none, n) => make(n)).join('');

it.each([
  ['elements', (count: number) => `<Response>${many(count - 1, () => '<a/>')}</Response>`, 1000],
  ['elements', (count: number) => `<Response a="${'<'.repeat(2 * count - 1)}"/>`, 1000],
  ['attributes', (count: number) => `<Response ${many(count, (n) => ` a${n}=""`)}/>`, 30],
])(
  'takes so many %s and no more: the library compares each with all others (security#asvs, 15.1.3)',
  (code, make, most) => {
    expect(elementsOf(make(most)).length).toBeGreaterThan(0);
    expect(() => elementsOf(make(most + 1))).toThrow(expect.objectContaining({ code }));
  },
);
