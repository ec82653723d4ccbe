import { expect, it } from 'vitest';
import { least, processorMs } from '../../../../test/support/processor.ts';
import { readEnvelope } from './envelope.ts';

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
