import { isSpace as isWhite, unitAt } from '../characters.ts';
import { Word } from './word.ts';

/** An address found in text: its range and its kind. */
export interface FoundAddress {
  readonly start: number;
  readonly end: number;
  readonly kind: 'full' | 'bare' | 'mail';
}

/** Every address contains a match of this. */
const mayHoldAddress = /[.:]\S/;

/**
 * Characters that may precede an address, besides white space and all non-ASCII characters
 * (protocol/markdown#automatic-links).
 */
const BEFORE = '\'"(,:<';

/**
 * Punctuation of Chinese and Japanese, which have no spaces between words: addresses end before it. See
 * protocol/markdown#automatic-links.
 */
const FULL_WIDTH = new Set([...'。，、；：！？）」』】》”'].map((character) => character.charCodeAt(0)));

const isSpace = (unit: number): boolean => isWhite(unit) || (unit >= 0x80 && FULL_WIDTH.has(unit));

/** Finds the addresses of a text, from left to right (protocol/markdown#automatic-links). */
export function scanAddresses(text: string): FoundAddress[] {
  const found: FoundAddress[] = [];
  if (!mayHoldAddress.test(text)) return found;
  let index = 0;
  while (index < text.length) {
    while (index < text.length && isSpace(text.charCodeAt(index))) index++;
    let end = index;
    let worthwhile = false;
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end);
      if (isSpace(unit)) break;
      worthwhile ||= unit === 46 || (unit === 58 && mayEndScheme(text, end));
    }
    if (worthwhile) scanWord(text, index, end, found);
    index = end;
  }
  return found;
}

/** Whether the colon at an index may belong to an address; most belong to emoji names. */
function mayEndScheme(text: string, index: number): boolean {
  const isBehind = unitAt(text, index + 1) === 47 && unitAt(text, index + 2) === 47;
  return isBehind || (unitAt(text, index - 1) === 110 && text.endsWith('bitcoin', index));
}

function scanWord(text: string, start: number, end: number, found: FoundAddress[]): void {
  const word = new Word(text, start, end);
  let index = start;
  while (index < end) {
    const address = index === start || mayStandBefore(text, index) ? word.addressAt(index) : undefined;
    if (address) found.push(address);
    index = address ? address.end : Math.max(index + 1, word.nextStart);
  }
}

function mayStandBefore(text: string, index: number): boolean {
  const unit = text.charCodeAt(index - 1);
  return unit >= 0x80
    ? text.charCodeAt(index) < 0xdc00 || text.charCodeAt(index) > 0xdfff
    : BEFORE.includes(text.charAt(index - 1));
}
