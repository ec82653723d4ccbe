import { type Pass, type Syntax, syntax } from './context.ts';
import { pairStars } from './star-runs.ts';

/** Whether a text has at least two occurrences of a mark, which a pair needs. */
function holdsTwo(mark: string, text: string): boolean {
  const first = text.indexOf(mark);
  return first !== -1 && first !== text.lastIndexOf(mark);
}

/** Parses `***strong emphasis***` (protocol/markdown#emphasis). `inner` runs the passes after this one. */
export function strongEmphasis(inner: Pass): Syntax {
  return syntax('*', (text, context) => {
    if (!holdsTwo('***', text)) return text;
    const { stash } = context;
    return pairStars(text, 3, stash, (content) =>
      stash.nest('strong', '**', stash.nest('em', '*', inner(content, context))),
    );
  });
}

/** Parses `*emphasis*` (protocol/markdown#emphasis). */
export function emphasis(inner: Pass): Syntax {
  return syntax('*', (text, context) => {
    if (!holdsTwo('*', text)) return text;
    const { stash } = context;
    return pairStars(text, 1, stash, (content) => stash.nest('em', '*', inner(content, context)));
  });
}

/**
 * Parses `**strong**`: the shortest possible text on one line; it may begin and end with spaces
 * (protocol/markdown#emphasis).
 */
export function strong(inner: Pass): Syntax {
  return syntax('*', (text, context) => {
    if (!text.includes('**')) return text;
    let result = '';
    let done = 0;
    let lineEnd = -1;
    for (let start = text.indexOf('**'); start !== -1; start = text.indexOf('**', start)) {
      const end = text.indexOf('**', start + 3);
      if (end === -1) break;
      if (lineEnd < start) lineEnd = endOfLine(text, start);
      if (lineEnd < end) {
        start = lineEnd;
        continue;
      }
      const content = text.slice(start + 2, end);
      result += text.slice(done, start) + context.stash.nest('strong', '**', inner(content, context));
      done = start = end + 2;
    }
    return result + text.slice(done);
  });
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

const strikes = /(?<!~)~~([^~\n]+)~~(?!~)/g;

/** Parses `~~strike~~`, with exactly two tildes on each side (protocol/markdown#emphasis). */
export function strike(inner: Pass): Syntax {
  return syntax('~', (text, context) => {
    if (!text.includes('~~')) return text;
    return text.replace(strikes, (_source, content: string) =>
      context.stash.nest('del', '~~', inner(content, context)),
    );
  });
}
