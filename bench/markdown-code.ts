import { type MarkdownWorld, renderMarkdown } from '#kernel/markdown';
import { processorMs } from '../test/support/processor.ts';
import { quantile } from './support/statistics.ts';

const LINE = '  const owls = await find(tx, { where: "perch", limit: 12 }); // those that are awake\n';
const WARM_UP_ROUNDS = 60;
const ROUNDS = 41;

/**
 * Prints the processor time of all threads for 100 lines and 10,000 characters of code, with and without highlighting.
 */
export async function printCode(world: MarkdownWorld): Promise<void> {
  const texts = [
    ['100 lines', LINE.slice(0, 43).concat('\n').repeat(100)],
    ['10,000 characters', LINE.repeat(116).slice(0, 9900)],
  ] as const;
  for (const [name, code] of texts) {
    const plain = await cost(world, `~~~nonsense\n${code}~~~`);
    const coloured = await cost(world, `~~~ts\n${code}~~~`);
    console.log(
      `${name} of code: ${plain.toFixed(2)} ms plain, ${coloured.toFixed(2)} ms highlighted, of processor time`,
    );
  }
}

async function cost(world: MarkdownWorld, text: string): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    all.push(await processorMs(() => renderMarkdown(text, world)));
  return quantile(all.slice(WARM_UP_ROUNDS), 0.5);
}
