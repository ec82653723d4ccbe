import common from './common-passwords.data.json' with { type: 'json' };

/** Fewest characters of a word, a run or a repetition that counts as one part. */
const MIN_PART = 3;
/** Most parts into which a password is split, and the longest word that is looked up. */
const MAX_PARTS = 8;
const MAX_WORD = 30;
/**
 * Number of characters of a password that are examined; further characters only make it stronger. The cost grows with
 * the square of this.
 */
const MAX_LOOKED_AT = 40;

/** Guesses needed for one random character, for a part of a run, and for a year of our time. */
const TRIES_OF_CHARACTER = 10;
const TRIES_OF_RUN = 20;
const TRIES_OF_YEAR = 150;
/** Guesses needed for a day of one of these years, in one of two ways to write it. */
const TRIES_OF_DAY = 366 * TRIES_OF_YEAR * 2;

/** Sequences of the alphabet, of digits and of the keyboard. */
const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiopü',
  'azertyuiop',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6y7u8i9o0p',
  'qazwsxedcrfvtgbyhnujm',
].flatMap((run) => [run, [...run].toReversed().join('')]);

/** Digits and signs that are used in place of letters. */
const LOOKS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

let ranks: ReadonlyMap<string, number> | undefined;

/**
 * Rank of a word among the most common passwords, from 1 on. The list is read with the first password that somebody
 * chooses.
 */
function rankOf(word: string): number | undefined {
  ranks ??= new Map(common.split(' ').map((one, index) => [one, index + 1]));
  return ranks.get(word);
}

/**
 * Whether a password is one of the most common: the list has more than the 3,000 of sufficient length that are required
 * (security#asvs, 6.2.4).
 */
export function isCommon(password: string): boolean {
  return rankOf(password.toLowerCase()) !== undefined;
}

/**
 * Estimates how many guesses an attacker needs who knows how people choose passwords: the cheapest way to build it from
 * common passwords and own words (also backwards, or with digits for letters), runs, repetitions, years and days, and
 * unknown characters. `ownWords` are in lower case.
 */
export function guessesOf(password: string, ownWords: readonly string[]): number {
  const characters = [...password].slice(0, MAX_LOOKED_AT);
  // The lowest cost of each prefix, by the number of parts.
  const cheapest: number[][] = [[1]];
  for (let end = 1; end <= characters.length; end++) {
    const ways = Array.from<number>({ length: MAX_PARTS + 1 }).fill(Number.POSITIVE_INFINITY);
    for (let begin = 0; begin < end; begin++) {
      const tries = triesOf(characters.slice(begin, end), ownWords);
      for (const [parts, before] of (cheapest[begin] ?? []).entries())
        if (parts < MAX_PARTS) ways[parts + 1] = Math.min(ways[parts + 1] ?? 0, before * tries);
    }
    cheapest.push(ways);
  }
  // An attacker does not know how many parts there are, and in which order.
  return Math.min(...(cheapest.at(-1) ?? []).map((tries, parts) => tries * factorial(parts)));
}

/** Guesses needed for a single part: the lowest of all ways to see it. */
function triesOf(part: readonly string[], ownWords: readonly string[]): number {
  const text = part.join('');
  const unknown = TRIES_OF_CHARACTER ** part.length;
  if (part.length < MIN_PART) return unknown;
  return Math.min(
    unknown,
    triesOfWord(text, ownWords),
    triesOfNumber(text),
    triesOfRun(text),
    triesOfRepetition(part, ownWords),
  );
}

function triesOfWord(text: string, ownWords: readonly string[]): number {
  if (text.length > MAX_WORD) return Number.POSITIVE_INFINITY;
  const low = text.toLowerCase();
  const plain = low.replaceAll(/[013457@$!]/g, (sign) => LOOKS[sign] ?? sign);
  const forms = [low, plain, reversed(low), reversed(plain)].map(
    (form, index) => (ownWords.includes(form) ? 1 : (rankOf(form) ?? Number.POSITIVE_INFINITY)) * (index === 0 ? 1 : 2),
  );
  return Math.min(...forms) * (low === text ? 1 : 2);
}

function triesOfNumber(text: string): number {
  if (/^(?:19|20)\d\d$/.test(text)) return TRIES_OF_YEAR;
  const isDay = /^(?:\d{1,2}[./-]?\d{1,2}[./-]?(?:19|20)\d\d|(?:19|20)\d\d[./-]?\d{1,2}[./-]?\d{1,2})$/.test(text);
  return isDay ? TRIES_OF_DAY : Number.POSITIVE_INFINITY;
}

function triesOfRun(text: string): number {
  const low = text.toLowerCase();
  return RUNS.some((run) => run.includes(low)) ? TRIES_OF_RUN * text.length : Number.POSITIVE_INFINITY;
}

/** Guesses needed for a repetition of a word, of a run, or of unknown characters. */
function triesOfRepetition(part: readonly string[], ownWords: readonly string[]): number {
  for (let length = 1; length <= part.length / 2; length++) {
    if (part.length % length !== 0 || part.some((character, index) => character !== part[index % length])) continue;
    const base = part.slice(0, length).join('');
    const tries = Math.min(TRIES_OF_CHARACTER ** length, triesOfWord(base, ownWords), triesOfRun(base));
    return tries * (part.length / length);
  }
  return Number.POSITIVE_INFINITY;
}

const reversed = (text: string): string => [...text].toReversed().join('');

function factorial(number: number): number {
  return number <= 1 ? 1 : number * factorial(number - 1);
}
