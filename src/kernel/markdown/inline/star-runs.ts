import { isSpace } from '../characters.ts';
import type { InlineContext } from './context.ts';

/** Elements nest this deep by emphasis; what is deeper stays text. */
const MAX_INLINE_DEPTH = 20;

/** Stars that wait for their counterpart, and the text behind them. */
interface Opener {
  stars: number;
  parts: string[];
  first: number;
  last: number;
  /** The text holds what emphasis may not span: `^` or a newline. */
  barred: boolean;
}

/**
 * Pairs runs of stars: `count` at the end of one run with `count` at the start of the next, when the text between has
 * no star, no `^`, no newline, and no white space at its ends. A pair becomes a token, so that pairs around it may
 * match in turn. One walk with a stack gives what repeated search for the leftmost match would.
 */
export function pairStars(
  text: string,
  count: number,
  context: InlineContext,
  wrap: (content: string) => string,
): string {
  const stack: Opener[] = [opener(0)];
  const top = () => stack.at(-1) ?? opener(0);
  let index = 0;
  while (index < text.length) {
    const star = text.indexOf('*', index);
    const end = star === -1 ? text.length : star;
    append(top(), text.slice(index, end));
    index = end;
    while (text.charCodeAt(index) === 42) index++;
    let stars = index - end;
    while (stars >= count && mayPair(top(), count)) {
      const inner = top();
      const content = inner.parts.join('');
      const depth = context.stash.depthOf(content) + 1;
      if (depth > MAX_INLINE_DEPTH) break;
      stars -= count;
      inner.stars -= count;
      inner.parts = [];
      if (inner.stars === 0) stack.pop();
      append(top(), wrap(content), inner.stars > 0);
    }
    if (stars > 0) stack.push(opener(stars));
  }
  return stack.map(({ stars, parts }) => '*'.repeat(stars) + parts.join('')).join('');
}

function opener(stars: number): Opener {
  return { stars, parts: [], first: -1, last: -1, barred: false };
}

function append(to: Opener, text: string, fresh = false): void {
  if (text === '') return;
  if (to.parts.length === 0 || fresh) to.first = text.charCodeAt(0);
  to.last = text.charCodeAt(text.length - 1);
  to.barred = (!fresh && to.barred) || text.includes('\n') || text.includes('^');
  to.parts.push(text);
}

function mayPair(inner: Opener, count: number): boolean {
  if (inner.stars < count || inner.parts.length === 0 || inner.barred) return false;
  return !isSpace(inner.first) && !isSpace(inner.last);
}
