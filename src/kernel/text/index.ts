export { type Entry, type Given, isolated, piecesOf, type Translated } from './catalogue.ts';
export { EMPTY_TOPIC_NAME, isUnnamed, requestedTopic, topicShown } from './empty-topic.ts';
export { headingSlug } from './headings.ts';
export { fieldsIn, isObject, parseJson } from './json.ts';
export { wholeFractionsBroken } from './json-numbers.ts';

/** Number of Unicode code points, the unit of every length limit of the API. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(i + 1))) {
      length--;
      i++;
    }
  }
  return length;
}

/** The first `count` code points of `text`. */
export function takeCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken++) {
    const pair = isHighSurrogate(text.charCodeAt(end)) && isLowSurrogate(text.charCodeAt(end + 1));
    end += pair ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Cuts `text` to at most `max` code points; a cut text ends with `marker`, which counts. */
export function truncate(text: string, max: number, marker: string): string {
  if (codePointLength(text) <= max) return text;
  return takeCodePoints(text, max - codePointLength(marker)) + marker;
}

/** Most bytes of a text by which rows are found: PostgreSQL takes no longer ones into an index. */
const MAX_INDEXED_BYTES = 2000;

/** Whether rows can be found by a text. */
export function isIndexable(text: string): boolean {
  return text.length <= MAX_INDEXED_BYTES && Buffer.byteLength(text) <= MAX_INDEXED_BYTES;
}

/**
 * The key under which names are compared without regard to letter case. Both databases compare these keys bytewise,
 * because their own notions of case differ.
 */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Decodes percent-encoding; a text that is encoded wrongly is returned as it is. */
export function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `text` on one line, for names: line breaks and control characters become a space. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
}

/**
 * 1-based position, in code points, of the first unprintable character (categories Cc and Cs, and the 66
 * non-characters); 0 when there is none. See protocol/channels#names.
 */
export function unprintablePosition(text: string): number {
  let position = 0;
  for (const character of text) {
    position++;
    if (isUnprintable(character.codePointAt(0) ?? 0)) return position;
  }
  return 0;
}

function isUnprintable(code: number): boolean {
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  if (code >= 0xd800 && code <= 0xdfff) return true;
  return (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
