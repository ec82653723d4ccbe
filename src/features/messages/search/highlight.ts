import { foldCase } from '#kernel/text';
import { indexForm, type Search, WORD } from './words.ts';

const OPEN = '<span class="highlight">';
const CLOSE = '</span>';
/** A tag, or the text up to the next tag. */
const PIECES = /<[^>]*>|[^<]+/g;
/** An HTML entity, which is no word, or a word. */
const TOKENS = new RegExp(`&[a-z0-9#]+;|${WORD.source}`, 'giu');

interface Range {
  readonly start: number;
  readonly end: number;
}

/** HTML with the searched words and phrases wrapped, never inside a tag. See protocol/fetching#search. */
export function highlight(html: string, search: Search): string {
  const words = new Set(search.words);
  const phrases = search.phrases.map((phrase) => escapeHtml(phrase));
  return html.replaceAll(PIECES, (piece) => (piece.startsWith('<') ? piece : wrapped(piece, words, phrases)));
}

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function wrapped(text: string, words: ReadonlySet<string>, phrases: readonly string[]): string {
  const found = [...wordRanges(text, words), ...phrases.flatMap((phrase) => phraseRanges(text, phrase))];
  let result = '';
  let done = 0;
  for (const { start, end } of merged(found)) {
    result += `${text.slice(done, start)}${OPEN}${text.slice(start, end)}${CLOSE}`;
    done = end;
  }
  return result + text.slice(done);
}

function wordRanges(text: string, words: ReadonlySet<string>): readonly Range[] {
  return [...text.matchAll(TOKENS)].flatMap(({ 0: token, index }) =>
    token.startsWith('&') || !words.has(indexForm(token)) ? [] : [{ start: index, end: index + token.length }],
  );
}

function phraseRanges(text: string, phrase: string): readonly Range[] {
  const within = foldCase(text);
  const wanted = foldCase(phrase);
  // Case folding may change lengths in rare scripts; positions would then be wrong, so nothing is wrapped.
  if (within.length !== text.length || wanted === '') return [];
  const ranges: Range[] = [];
  for (let at = within.indexOf(wanted); at !== -1; at = within.indexOf(wanted, at + wanted.length))
    ranges.push({ start: at, end: at + wanted.length });
  return ranges;
}

function merged(ranges: readonly Range[]): readonly Range[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const before = result.at(-1);
    if (before && start < before.end) before.end = Math.max(before.end, end);
    else result.push({ start, end });
  }
  return result;
}
