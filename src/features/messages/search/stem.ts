/** Porter's algorithm for English (M. F. Porter, 1980), steps 1 to 5. Words with other letters than a to z stay whole. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return step5(replaced(STEP4, replaced(STEP3, replaced(STEP2, step1(word), 0), 0), 1));
}

type Rules = readonly (readonly [suffix: string, replacement: string])[];

const STEP2: Rules = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];
const STEP3: Rules = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const STEP4: Rules = [
  'ement',
  'ance',
  'ence',
  'able',
  'ible',
  'ment',
  'ant',
  'ent',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'ion',
  'al',
  'er',
  'ic',
  'ou',
].map((suffix) => [suffix, ''] as const);

/** Plurals and past forms, and y to i. */
function step1(word: string): string {
  let text = word;
  if (text.endsWith('sses') || text.endsWith('ies')) text = text.slice(0, -2);
  else if (text.endsWith('s') && !text.endsWith('ss')) text = text.slice(0, -1);
  if (text.endsWith('eed')) {
    if (measure(text.slice(0, -3)) > 0) text = text.slice(0, -1);
  } else {
    const ending = ['ed', 'ing'].find((suffix) => text.endsWith(suffix) && hasVowel(text.slice(0, -suffix.length)));
    if (ending) text = repaired(text.slice(0, -ending.length));
  }
  return text.endsWith('y') && hasVowel(text.slice(0, -1)) ? `${text.slice(0, -1)}i` : text;
}

/** Repairs a stem after -ed or -ing was removed: restores its e, or its single last letter. */
function repaired(text: string): string {
  if (/(?:at|bl|iz)$/.test(text)) return `${text}e`;
  const last = text.at(-1) ?? '';
  if (last === text.at(-2) && isConsonant(text, text.length - 1) && !'lsz'.includes(last)) return text.slice(0, -1);
  return measure(text) === 1 && endsShort(text) ? `${text}e` : text;
}

/** Replaces the longest matching suffix, if what precedes it is long enough. */
function replaced(rules: Rules, text: string, above: number): string {
  const rule = rules.find(([suffix]) => text.endsWith(suffix));
  if (!rule) return text;
  const [suffix, replacement] = rule;
  const base = text.slice(0, -suffix.length);
  if (suffix === 'ion' && !/[st]$/.test(base)) return text;
  return measure(base) > above ? base + replacement : text;
}

/** Removes a final e, and the second l. */
function step5(word: string): string {
  let text = word;
  if (text.endsWith('e')) {
    const base = text.slice(0, -1);
    const m = measure(base);
    if (m > 1 || (m === 1 && !endsShort(base))) text = base;
  }
  return text.endsWith('ll') && measure(text) > 1 ? text.slice(0, -1) : text;
}

function isConsonant(text: string, index: number): boolean {
  const letter = text.charAt(index);
  if ('aeiou'.includes(letter)) return false;
  return letter !== 'y' || index === 0 || !isConsonant(text, index - 1);
}

/** Number of times that a consonant follows a vowel. */
function measure(text: string): number {
  let count = 0;
  for (let i = 1; i < text.length; i++) if (isConsonant(text, i) && !isConsonant(text, i - 1)) count++;
  return count;
}

function hasVowel(text: string): boolean {
  return [...text].some((_letter, index) => !isConsonant(text, index));
}

/** Whether a word ends with consonant, vowel, and a consonant other than w, x, y. */
function endsShort(text: string): boolean {
  const end = text.length - 1;
  if (end < 2 || 'wxy'.includes(text.charAt(end))) return false;
  return isConsonant(text, end) && !isConsonant(text, end - 1) && isConsonant(text, end - 2);
}
