import { wordAt, wordBefore } from '../characters.ts';
import { syntax } from './context.ts';

/** Parses `$$…$$` without a letter, digit or `_` directly outside (protocol/markdown#inline-math). */
export const inlineMath = syntax('$', (text, { stash, formulas }) => {
  let result = '';
  let done = 0;
  for (let start = text.indexOf('$$'); start !== -1; start = text.indexOf('$$', start)) {
    const end = mayOpen(text, start) ? findEnd(text, start + 2) : undefined;
    if (end === undefined) {
      start += 1;
      continue;
    }
    const source = text.slice(start, end + 2);
    const formula = stash.restore(text.slice(start + 2, end));
    result += text.slice(done, start) + stash.put(formulas.inline(formula), source);
    done = start = end + 2;
  }
  return result + text.slice(done);
});

/** A formula does not begin with these. */
const NO_START = '_\n$';

function mayOpen(text: string, start: number): boolean {
  if (wordBefore(text, start) || text.charAt(start - 1) === '$') return false;
  return start + 2 < text.length && !NO_START.includes(text.charAt(start + 2));
}

/**
 * Finds the end of a formula. A dollar sign inside is escaped as `\$`; if nothing else closes the formula, such a one
 * can be the first half of the closing pair.
 */
function findEnd(text: string, from: number): number | undefined {
  let escaped: number | undefined;
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\n') break;
    if (character !== '$') continue;
    const closes = index > from && mayClose(text, index);
    if (text.charAt(index - 1) !== '\\' || index === from) return closes ? index : escaped;
    if (closes) escaped = index;
  }
  return escaped;
}

function mayClose(text: string, index: number): boolean {
  return text.charAt(index + 1) === '$' && text.charAt(index + 2) !== '$' && !wordAt(text, index + 2);
}
