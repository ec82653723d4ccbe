import { indexOfUnit, isSpace, mayHold, unitAt } from '../characters.ts';
import type { Stash } from './stash.ts';

const STAR = 42;
/** Elements nest this deep by emphasis; what is deeper stays text. */
const MAX_INLINE_DEPTH = 20;

/** Stars that wait for their counterpart, and the text behind them. */
interface Opener {
  stars: number;
  text: string;
  /** First and last code unit of the text, which is not looked at while it grows: that would copy it each time. */
  first: number;
  last: number;
  /** The text has been found to hold what emphasis may not span, or elements nested too deep. */
  barred: boolean;
}

const bar = /[\n^]/;
/** Or a token, for elements nest by what it stands for. */
const mayBar = mayHold(/[\n^\ue000-\uf8ff]/);

/**
 * Pairs runs of stars: `count` at the end of one run with `count` at the start of the next, when the text between has
 * no star, no `^`, no newline, and no white space at its ends. A pair becomes a token, so that pairs around it may
 * match in turn. One walk with a stack gives what repeated search for the leftmost match would.
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

/** Looks through the text last and only once: after that it is either taken or barred, and stays so when it grows. */
function mayPair(opener: Opener, count: number, stash: Stash): boolean {
  const { stars, text, first, last, barred } = opener;
  if (stars < count || text === '' || barred || isSpace(first) || isSpace(last)) return false;
  opener.barred = mayBar(text) && (bar.test(text) || stash.depthOf(text) >= MAX_INLINE_DEPTH);
  return !opener.barred;
}
