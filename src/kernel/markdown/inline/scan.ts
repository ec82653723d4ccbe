import { isSpace } from '../characters.ts';

/**
 * Replaces the matches of a global pattern, in order. `replace` returns the replacement of a match, or undefined to
 * keep it; in both cases the search continues after the match.
 */
export function replaceMatches(
  text: string,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => string | undefined,
): string {
  let result = '';
  let done = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const put = replace(match);
    if (put === undefined) continue;
    result += text.slice(done, match.index) + put;
    done = match.index + match[0].length;
  }
  return done === 0 ? text : result + text.slice(done);
}

/** Whether the character before `index` is white space or one of `others`, or there is none. */
export function isBoundary(text: string, index: number, others: string): boolean {
  if (index === 0) return true;
  const unit = text.charCodeAt(index - 1);
  return isSpace(unit) || others.includes(text.charAt(index - 1));
}
