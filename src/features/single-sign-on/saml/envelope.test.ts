import { expect, it } from 'vitest';
import { readEnvelope } from './envelope.ts';

/** Milliseconds of the processor that refusing an answer takes, the least of three. */
function costOf(xml: string): number {
  const answer = Buffer.from(xml).toString('base64');
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    expect(() => readEnvelope(answer)).toThrow(/./);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

it.each(['Assertion', 'a'])(
  'refuses thousands of elements %s within one another at once (security#asvs, 15.1.3)',
  (name) => {
    const tag = `<${name}>`;
    const xml = `<Response>${tag.repeat(Math.floor(47_000 / tag.length))}`;
    expect(costOf(xml)).toBeLessThan(20);
  },
);
