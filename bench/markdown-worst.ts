import MarkdownIt from 'markdown-it';
import { type MarkdownWorld, renderMarkdown } from '#kernel/markdown';
import { hostileTexts } from '../test/support/hostile-texts.ts';
import { quantile } from './support/statistics.ts';

const LENGTH = 10_000;
/** Highest cost of a text, as a multiple of that of prose of the same length. */
const BAR = 20;
/** Number of worst texts that are shown at least; all beyond the bar are. */
const SHOWN = 10;
const ROUNDS = 11;
/** Milliseconds of a batch of renderings, long enough to make a garbage collection or a time slice negligible. */
const BATCH_MS = 8;
const WARM_UP_MS = 60;
const WARM_UP_RENDERINGS = 30;

type Render = () => unknown;

/** Milliseconds of one rendering. */
interface Cost {
  /** Processor time of the event loop's thread, which serves nobody else meanwhile, in milliseconds. */
  readonly ms: number;
  /** Processor time of all threads, including those that render formulas and help garbage collection. */
  readonly allMs: number;
}

/** Medians over the rounds. */
interface Compared extends Cost {
  /** Ratio of the event loop's cost to that of the other text in the same round. */
  readonly times: number;
  /** The same ratio for all threads. */
  readonly allTimes: number;
}

/** Prints what the worst texts cost compared with prose, typical messages, twice their length, and bare markdown-it. */
export async function printWorst(world: MarkdownWorld, messages: readonly string[]): Promise<void> {
  const render = (text: string) => () => renderMarkdown(text, world);
  const bare = new MarkdownIt({ breaks: true });
  const [once, twice] = [hostileTexts(LENGTH), hostileTexts(2 * LENGTH)];
  const prose = render(once['plain'] ?? '');
  const all: (Compared & { name: string })[] = [];
  for (const [name, text] of Object.entries(once)) all.push({ name, ...(await compare(render(text), prose)) });
  all.sort((a, b) => b.times - a.times);
  const typical = await compare(render(messages.join('\n\n').repeat(LENGTH).slice(0, LENGTH)), prose);
  const within = all.filter(({ times }) => times < BAR).length;
  const allWithin = all.filter(({ allTimes }) => allTimes < BAR).length;
  const plain = all.find(({ name }) => name === 'plain');
  console.log(
    `${LENGTH.toLocaleString('en')} characters of prose: ${plain?.ms.toFixed(3)} ms, of typical messages: ` +
      `${typical.ms.toFixed(2)} ms (processor time of the event loop, median of ${ROUNDS}); ` +
      `${within} of ${all.length} hostile texts stay below ${BAR}x prose, by the time of all threads ${allWithin}. The worst:`,
  );
  for (const { name, ms, times, allTimes } of all.slice(0, Math.max(SHOWN, all.length - within))) {
    const growth = await compare(render(twice[name] ?? ''), render(once[name] ?? ''));
    const other = await compare(() => bare.render(once[name] ?? ''), prose);
    console.log(
      `  ${times.toFixed(1)}x prose, ${ms.toFixed(2)} ms, all threads ${allTimes.toFixed(1)}x ` +
        `(twice as long: ${growth.times.toFixed(1)}x; markdown-it ${other.ms.toFixed(2)} ms) ${name}`,
    );
  }
}

/** Compares two renderings in turns, so that other load affects both. */
async function compare(render: Render, other: Render): Promise<Compared> {
  const [count, otherCount] = [await warmUp(render), await warmUp(other)];
  const costs: Cost[] = [];
  const ratios: Cost[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const beside = await cost(other, otherCount);
    const own = await cost(render, count);
    costs.push(own);
    ratios.push({ ms: own.ms / beside.ms, allMs: own.allMs / beside.allMs });
  }
  const [own, times] = [median(costs), median(ratios)];
  return { ...own, times: times.ms, allTimes: times.allMs };
}

function median(costs: readonly Cost[]): Cost {
  const of = (part: (cost: Cost) => number) => quantile(costs.map(part), 0.5);
  return { ms: of(({ ms }) => ms), allMs: of(({ allMs }) => allMs) };
}

/** Renders until the compiler has optimized it; returns the number of renderings in a batch. */
async function warmUp(render: Render): Promise<number> {
  let spent = 0;
  let done = 0;
  while (done < WARM_UP_RENDERINGS || spent < WARM_UP_MS) {
    spent += (await cost(render, 1)).ms;
    done++;
  }
  return Math.max(1, Math.round((BATCH_MS * done) / spent));
}

/**
 * Returns the cost of one of `count` renderings. The event loop's thread used at most the processor time of the
 * process, and at most the loop's busy time: the smaller one leaves out other threads and other programs.
 */
async function cost(render: Render, count: number): Promise<Cost> {
  const [busy, start] = [performance.eventLoopUtilization(), process.cpuUsage()];
  for (let index = 0; index < count; index++) await render();
  const { active } = performance.eventLoopUtilization(busy);
  const { user, system } = process.cpuUsage(start);
  const allMs = (user + system) / 1000;
  return { ms: Math.min(active, allMs) / count, allMs: allMs / count };
}
