import { indexOfUnit, unitAt } from '../characters.ts';
import { escapeCode } from '../escape.ts';
import { type TickRun, TickRuns } from '../tick-runs.ts';
import { inlineHtml } from '../tree.ts';
import { syntax } from './context.ts';

/** Parses inline code, and the only escape there is: backslashes before backticks (protocol/markdown#inline-code). */
export const inlineCode = syntax('`', (text, { stash }) => {
  if (!text.includes('`')) return text;
  const found = escapedRuns(text);
  const runs = new TickRuns(found);
  let result = '';
  let done = 0;
  for (let number = 0; number < found.length; number++) {
    const run = found[number];
    if (run === undefined || run.index < done) continue;
    // An odd number of backslashes escapes the first backtick; an even number is halved.
    const odd = run.backslashes % 2;
    const halved = odd ? 0 : run.backslashes / 2;
    const opening = run.index + odd;
    const closing = findClosing(runs, found[number + 1], run, run.length - odd);
    result += text.slice(done, run.index - halved);
    done = run.index;
    if (!closing) continue;
    const start = opening + closing.length;
    result += text.slice(done, opening);
    done = closing.index + closing.length;
    const plain = text.slice(start, closing.index);
    const html = `<code>${escapeCode(plain)}</code>`;
    result += stash.put(inlineHtml(html, plain), text.slice(opening, done));
  }
  return result + text.slice(done);
});

const BACKTICK = 96;

interface EscapedRun extends TickRun {
  readonly backslashes: number;
}

/** Finds the runs of backticks, with the number of backslashes directly before each. */
function escapedRuns(text: string): EscapedRun[] {
  const runs: EscapedRun[] = [];
  let end = 0;
  for (let index = indexOfUnit(text, BACKTICK, 0); index !== -1; index = indexOfUnit(text, BACKTICK, end)) {
    end = index + 1;
    while (unitAt(text, end) === BACKTICK) end++;
    let start = index;
    while (unitAt(text, start - 1) === 92) start--;
    runs.push({ index, length: end - index, backslashes: index - start });
  }
  return runs;
}

/**
 * Finds the closing run: the next one of the same length, which is usually the very next run; failing that, the next
 * one of a smaller length, the longest first.
 */
function findClosing(runs: TickRuns, next: TickRun | undefined, opening: TickRun, most: number): TickRun | undefined {
  if (next?.length === most) return next;
  const end = opening.index + opening.length;
  for (let length = most; length > 0; length--) {
    const closing = runs.find(length, end);
    if (closing) return closing;
  }
  return undefined;
}
