import { escapeCode } from '../escape.ts';
import { type TickRun, TickRuns } from '../tick-runs.ts';
import type { Pass } from './context.ts';

const ticks = /(\\*)(`+)/g;

/** Inline code, and the only escape there is: backslashes before backticks (contract 1.12). */
export const inlineCode: Pass = (text, { stash }) => {
  if (!text.includes('`')) return text;
  const found = [...text.matchAll(ticks)].map((match) => ({
    index: match.index + (match[1] ?? '').length,
    length: (match[2] ?? '').length,
    backslashes: (match[1] ?? '').length,
  }));
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
    const html = `<code>${escapeCode(text.slice(start, closing.index))}</code>`;
    const plain = text.slice(start, closing.index);
    result += stash.put(
      { kind: 'node', node: { type: 'html', html, block: false, plain } },
      text.slice(opening.index, done),
    );
  }
  return result + text.slice(done);
};

/** The next run of the same length; failing that, one as long as part of the opening run, the longest first. */
function findClosing(runs: TickRuns, opening: TickRun): TickRun | undefined {
  const end = opening.index + opening.length;
  for (let length = opening.length; length > 0; length--) {
    const closing = runs.find(length, end);
    if (closing) return closing;
  }
  return undefined;
}
