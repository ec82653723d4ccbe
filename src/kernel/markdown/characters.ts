const wordCharacter = /^[\p{L}\p{N}_]$/u;

/** Whether a code unit is a letter of ASCII. */
export function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}

/** Whether a code unit is a digit of ASCII. */
export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

/** Up to this length, a loop over code units is faster than calling a regular expression or `indexOf`. */
const SHORT = 8;
const ASCII = 128;

/** Whether a text may contain what a pattern looks for; can be true without a match, never false with one. */
export type Test = (text: string) => boolean;

/**
 * Makes a test for texts with a match of a pattern. A match must be a single character, or contain one of `others`,
 * which are ASCII. Short texts are checked with a table first, which is faster; those with non-ASCII characters are
 * left to the pattern.
 */
export function mayHold(pattern: RegExp, others = ''): Test {
  const isHeld = Array.from({ length: ASCII }, (_, unit) => {
    const character = String.fromCharCode(unit);
    return pattern.test(character) || others.includes(character);
  });
  return (text) => {
    if (text.length > SHORT) return pattern.test(text);
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= ASCII) return pattern.test(text);
      if (isHeld[unit]) return others === '' || pattern.test(text);
    }
    return false;
  };
}

/** Source of a pattern that matches one of these ASCII characters. */
export function oneOfUnits(units: string): string {
  return `[${units.replace(/[\]\\^-]/g, '\\$&')}]`;
}

/** Returns the next index of a code unit; -1 if there is none. */
export function indexOfUnit(text: string, unit: number, from: number): number {
  const near = Math.min(text.length, from + SHORT);
  for (let index = from; index < near; index++) if (text.charCodeAt(index) === unit) return index;
  return near === text.length ? -1 : text.indexOf(String.fromCharCode(unit), near);
}

/**
 * Returns the code unit at an index, or -1 outside of the text. Reading outside with `charCodeAt` makes the engine's
 * code slower permanently.
 */
export function unitAt(text: string, index: number): number {
  return index >= 0 && index < text.length ? text.charCodeAt(index) : -1;
}

/** Whether a code point is a letter or digit of any script, or `_`. */
export function isWord(code: number): boolean {
  return code < 128 ? isLetter(code) || isDigit(code) || code === 95 : wordCharacter.test(String.fromCodePoint(code));
}

/** The code point that starts at `index`, or undefined at the end. */
export function codeAt(text: string, index: number): number | undefined {
  return text.codePointAt(index);
}

/** The code point that ends before `index`, or undefined at the start. */
function codeBefore(text: string, index: number): number | undefined {
  if (index <= 0) return undefined;
  const unit = text.charCodeAt(index - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  return isLow && index > 1 ? text.codePointAt(index - 2) : unit;
}

/** Whether the character before `index` is a letter, a digit or `_`. */
export function wordBefore(text: string, index: number): boolean {
  const code = codeBefore(text, index);
  return code !== undefined && isWord(code);
}

/** Whether the character at `index` is a letter, a digit or `_`. */
export function wordAt(text: string, index: number): boolean {
  const code = codeAt(text, index);
  return code !== undefined && isWord(code);
}

const whitespace = /^\s$/;

/** Whether a code unit is white space of any script. */
export function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
  return code === 0x85 || whitespace.test(String.fromCharCode(code));
}
