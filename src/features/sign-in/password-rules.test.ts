import { describe, expect, it } from 'vitest';
import common from './common-passwords.data.json' with { type: 'json' };
import { least, processorMs } from '../../../test/support/processor.ts';
import { guessesOf } from './guesses.ts';
import { passwordFault, USUAL_RULES } from './password-rules.ts';

const OWN = ['Nora Newcomer', 'nora@heron.example', 'Blue Herons'];
const WEAK = 'The password is too weak.';
const faultOf = (password: string) => passwordFault(password, OWN, USUAL_RULES);

describe('passwords that people choose (protocol/authentication#passwords)', () => {
  it('are none of the 3,000 most common that are long enough, in whatever case (security#asvs, 6.2.4)', () => {
    const long = common.split(' ').filter((word) => word.length >= USUAL_RULES.password_min_length);
    expect(long.length).toBeGreaterThan(3000);
    const taken = long.filter((word) => faultOf(word) !== WEAK || faultOf(word.toUpperCase()) !== WEAK);
    expect(taken).toEqual([]);
  });

  it.each([
    ['Passw0rd!', 'a common one with signs for letters'],
    ['drowssap1', 'one backwards'],
    ['NoraNewcomer', 'their name'],
    ['n3wc0m3r', 'their name with digits for letters'],
    ['nora@heron.example', 'their address'],
    ['blueherons', 'the name of the organization'],
    ['herons2026', 'the organization and a year'],
    ['aaaaaaaaaaaa', 'one letter'],
    ['abcabcabcabc', 'one thing again and again'],
    ['a'.repeat(100), 'one letter a hundred times'],
    ['poiuytrewq', 'a run on the keyboard'],
    ['zyxwvuts', 'a run of the alphabet'],
  ])('are not %s: %s', (password) => {
    expect(faultOf(password)).toBe(WEAK);
  });

  it.each(['three tall herons', 'qf7!xWm2', 'Мороженое и чай', '稲妻と雷と雨と風と', 'nora likes tall ladders'])(
    'are as good as %s',
    (password) => expect(faultOf(password)).toBeUndefined(),
  );

  it('withstand as many guesses as the organization asks, and have as many characters', () => {
    const rules = { password_min_length: 12, password_min_guesses: 1e10 };
    expect(passwordFault('qf7!xWm2', [], rules)).toBe('The password needs at least 12 characters.');
    expect(passwordFault('Sommer2026!!', [], rules)).toBe(WEAK);
    expect(passwordFault('qf7!xWm2kT0-', [], rules)).toBeUndefined();
    expect(passwordFault('x1'.repeat(51), [], rules)).toBe('The password has more than 100 characters.');
  });

  it('are estimated in bounded time, however they are made', async () => {
    for (const text of ['a'.repeat(100), 'ab1!'.repeat(25), 'qwertzuiop'.repeat(10), '24121987'.repeat(12)]) {
      // A stretch that keeps others waiting has 50 ms at most.
      const guess = () => expect(guessesOf(text, ['nora'])).toBeGreaterThan(0);
      expect(await least(50, () => processorMs(guess))).toBeLessThan(50);
    }
  });
});
