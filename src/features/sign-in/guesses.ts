import common from './common-passwords.data.json' with { type: 'json' };

/** Fewest characters of a word, a run or a repetition that counts as one thing. */
const MIN_PART = 3;
/** Most parts that a password is taken for, and the longest word that is looked up. */
const MAX_PARTS = 8;
const MAX_WORD = 30;
/** Characters of a password that are looked at; what follows only adds. The cost grows with their square. */
const MAX_LOOKED_AT = 40;

/** Tries for one character about which nothing is known, for a part of a run, and for a year of our time. */
const TRIES_OF_CHARACTER = 10;
const TRIES_OF_RUN = 20;
const TRIES_OF_YEAR = 150;
/** Days of these years, and the ways to write them. */
const TRIES_OF_DAY = 366 * TRIES_OF_YEAR * 2;

/** What fingers and heads run along. */
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

/** What stands for letters. */
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

/** The place of a word among the most common passwords, from 1 on. Read with the first password that somebody chooses. */
function rankOf(word: string): number | undefined {
  ranks ??= new Map(common.split(' ').map((one, index) => [one, index + 1]));
  return ranks.get(word);
}

/** Whether it is one of the most common passwords: more than the 3,000 that are long enough for us (security#asvs, 6.2.4). */
export function isCommon(password: string): boolean {
  return rankOf(password.toLowerCase()) !== undefined;
}

/**
 * About how often somebody must guess who knows how people choose passwords: the cheapest way to put it together from common
 * passwords and own words (also backwards, or with digits for letters), runs, repetitions, years and days, and unknown characters. `ownWords`
 * are in lower case.
 */
export function guessesOf(password: string, ownWords: readonly string[]): number {
  const characters = [...password].slice(0, MAX_LOOKED_AT);
  // The cheapest way to the end of each beginning, by the number of parts.
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
  // Nobody knows how many parts there are, and in which order.
  return Math.min(...(cheapest.at(-1) ?? []).map((tries, parts) => tries * factorial(parts)));
}

/** Tries for what is one thing: the cheapest of what it may be. */
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

/** Something again and again; what is repeated is a word, a run, or unknown. */
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
