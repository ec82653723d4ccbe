import { unitAt } from '../characters.ts';
import { escapeCode } from '../escape.ts';
import { type TickRun, TickRuns } from '../tick-runs.ts';
import { inlineHtml } from '../tree.ts';
import type { Pass } from './context.ts';

/** Inline code, and the only escape there is: backslashes before backticks (contract 1.12). */
export const inlineCode: Pass = (text, { stash }) => {
  if (!text.includes('`')) return text;
  const found = escapedRuns(text);
  const runs = new TickRuns(found);
  let result = '';
  let done = 0;
  for (const run of found) {
    if (run.index < done) continue;
    // An odd backslash takes away the first backtick; an even number of them is halved.
    const odd = run.backslashes % 2;
    const halved = odd ? 0 : run.backslashes / 2;
    const opening = { index: run.index + odd, length: run.length - odd };
    const closing = findClosing(runs, opening);
    result += text.slice(done, run.index - halved);
    done = run.index;
    if (!closing) continue;
    const start = opening.index + closing.length;
    result += text.slice(done, opening.index);
    done = closing.index + closing.length;
    const plain = text.slice(start, closing.index);
    const html = `<code>${escapeCode(plain)}</code>`;
    result += stash.put(inlineHtml(html, plain), text.slice(opening.index, done));
  }
  return result + text.slice(done);
};

interface EscapedRun extends TickRun {
  readonly backslashes: number;
}

/** Runs of backticks with the number of backslashes directly before them. */
function escapedRuns(text: string): EscapedRun[] {
  const runs: EscapedRun[] = [];
  let end = 0;
  for (let index = text.indexOf('`'); index !== -1; index = text.indexOf('`', end)) {
    end = index + 1;
    while (unitAt(text, end) === 96) end++;
    let start = index;
    while (unitAt(text, start - 1) === 92) start--;
    runs.push({ index, length: end - index, backslashes: index - start });
  }
  return runs;
}

/** The next run of the same length; failing that, one as long as part of the opening run, the longest first. */
function findClosing(runs: TickRuns, opening: TickRun): TickRun | undefined {
  const end = opening.index + opening.length;
  for (let length = opening.length; length > 0; length--) {
    const closing = runs.find(length, end);
    if (closing) return closing;
  }
  return undefined;
}
