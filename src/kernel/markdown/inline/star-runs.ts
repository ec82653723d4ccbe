import { isSpace } from '../characters.ts';
import type { InlineContext } from './context.ts';

/** Elements nest this deep by emphasis; what is deeper stays text. */
const MAX_INLINE_DEPTH = 20;

/** Stars that wait for their counterpart, and the text behind them. */
interface Opener {
  stars: number;
  text: string;
  /** First and last code unit of the text, which is not looked at while it grows: that would copy it each time. */
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
  let top = opener(0);
  const stack: Opener[] = [top];
  let index = 0;
  while (index < text.length) {
    const star = text.indexOf('*', index);
    const end = star === -1 ? text.length : star;
    append(top, text.slice(index, end));
    index = end;
    while (text.charCodeAt(index) === 42) index++;
    let stars = index - end;
    while (stars >= count && mayPair(top, count) && context.stash.depthOf(top.text) < MAX_INLINE_DEPTH) {
      const token = wrap(top.text);
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
  to.barred ||= text.includes('\n') || text.includes('^');
}

function mayPair({ stars, text, first, last, barred }: Opener, count: number): boolean {
  return stars >= count && text !== '' && !barred && !isSpace(first) && !isSpace(last);
}
