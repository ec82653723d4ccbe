import { indexOfUnit, isSpace, mayHold, unitAt } from '../characters.ts';
import type { Stash } from './stash.ts';

const STAR = 42;
/** Deepest nesting of elements by emphasis; deeper marks stay text. */
const MAX_INLINE_DEPTH = 20;

/** An unmatched run of stars, and the text after it. */
interface Opener {
  stars: number;
  text: string;
  /**
   * First and last code unit of the text. They are kept separately, because reading the text while it grows would copy
   * it each time.
   */
  first: number;
  last: number;
  /** Whether the text contains what emphasis may not span, or elements nested too deeply. */
  barred: boolean;
}

const bar = /[\n^]/;
/** Tokens count, because the elements they stand for may be nested. */
const mayBar = mayHold(/[\n^\ue000-\uf8ff]/);

/**
 * Pairs runs of stars: `count` at the end of one run with `count` at the start of the next, if the text between has no
 * star, no `^`, no line end, and no white space at its ends. A pair becomes a token, so that pairs around it may match
 * in turn. One pass with a stack gives the same result as repeatedly searching for the leftmost match.
 */
export function pairStars(text: string, count: number, stash: Stash, wrap: (content: string) => string): string {
  let top = opener(0);
  const stack: Opener[] = [top];
  let index = 0;
  let paired = false;
  while (index < text.length) {
    const star = indexOfUnit(text, STAR, index);
    const end = star === -1 ? text.length : star;
    append(top, text.slice(index, end));
    index = end;
    while (unitAt(text, index) === STAR) index++;
    let stars = index - end;
    while (stars >= count && mayPair(top, count, stash)) {
      const token = wrap(top.text);
      paired = true;
      stars -= count;
      top.stars -= count;
      top.text = '';
      if (top.stars === 0) {
        stack.pop();
        top = stack.at(-1) ?? top;
      }
      append(top, token);
    }
    if (stars > 0) stack.push((top = opener(stars)));
  }
  if (!paired) return text;
  let result = '';
  for (const { stars, text } of stack) result += '*'.repeat(stars) + text;
  return result;
}

function opener(stars: number): Opener {
  return { stars, text: '', first: -1, last: -1, barred: false };
}

function append(to: Opener, text: string): void {
  if (text === '') return;
  if (to.text === '') to.first = text.charCodeAt(0);
  to.last = text.charCodeAt(text.length - 1);
  to.text += text;
}

/** The text is searched last and only once: after that it is paired or barred, and stays barred when it grows. */
function mayPair(opener: Opener, count: number, stash: Stash): boolean {
  const { stars, text, first, last, barred } = opener;
  if (stars < count || text === '' || barred || isSpace(first) || isSpace(last)) return false;
  opener.barred = mayBar(text) && (bar.test(text) || stash.depthOf(text) >= MAX_INLINE_DEPTH);
  return !opener.barred;
}
