import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Ends what moves: axe measures the colours of a moment, and half-way through a fade they are too pale. */
const SETTLE = `for (const animation of document.getAnimations())
  if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();`;

/** What keeps people out of the page as it is, `rule: element`, and how many pixels it is wider than the window. */
export async function inspect(page: Page): Promise<{ found: string[]; overflow: number }> {
  await page.evaluate(AXE);
  return page.evaluate(`(async () => {
    ${SETTLE}
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return {
      found: violations.flatMap((rule) =>
        rule.nodes.map((node) => [rule.id, node.html.slice(0, 160), node.any[0]?.message ?? ''].join(': ')),
      ),
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  })()`);
}
