import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Ends what moves: axe measures the colours of a moment, and half-way through a fade they are too pale. */
const SETTLE = `for (const animation of document.getAnimations())
  if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();`;

/**
 * What keeps people out of the page as it is, `rule: element`, and how many pixels it is wider than the window. `part` leaves
 * out what stands around it.
 */
export async function inspect(page: Page, part?: string): Promise<{ found: string[]; overflow: number }> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  return page.evaluate(`(async () => {
    ${SETTLE}
    const shown = ${part === undefined ? 'document' : `[...document.querySelectorAll(${JSON.stringify(part)})].filter((one) => one.checkVisibility())`};
    // Nothing here plays by itself or is held upright: only for that, axe would fetch style sheets and files once more.
    const { violations } = await axe.run(shown, { resultTypes: ['violations'], preload: false });
    return {
      found: violations.flatMap((rule) =>
        rule.nodes.map((node) => [rule.id, node.html.slice(0, 160), node.any[0]?.message ?? ''].join(': ')),
      ),
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  })()`);
}

/** Texts that stand out of the window to a side where nobody can scroll to them: their first words. */
export function outside(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const isBound = (element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      return textOverflow === 'ellipsis' || overflowX === 'auto' || overflowX === 'scroll' || element.matches('.sr, .skip');
    };
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.data.trim() === '' || !node.parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, width } = range.getBoundingClientRect();
      if (width < 2 || (left >= -1 && right <= innerWidth + 1)) continue;
      let at = node.parentElement;
      while (at && !isBound(at)) at = at.parentElement;
      if (!at || at === document.documentElement) found.add(node.data.trim().slice(0, 60));
    }
    return [...found];
  })()`);
}

/**
 * What can be pressed and takes a finger (44 px high and wide) less than its size: rows, buttons, fields, chips. Links and names in
 * a text are as high as its lines; what lies in a label is as large as that.
 */
export function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const FINGER = 44, ROUNDING = 1;
    const TARGETS = 'a[href], button, input, select, textarea, summary, [role=button], [role^=menuitem], [role=option], [role=tab]';
    const isText = (target) => target.matches('.rendered *, .body *, .by *, .sr, .skip, [aria-hidden=true] *') ||
      (target.matches('a') && getComputedStyle(target).display === 'inline');
    const takes = (target, x, y) => {
      const hit = document.elementFromPoint(x, y);
      return hit === null || target.contains(hit) || hit.closest('label')?.control === target;
    };
    const found = new Set();
    for (const target of document.querySelectorAll(TARGETS)) {
      if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isText(target)) continue;
      const { left, right, top, bottom, width, height } = target.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      // What is scrolled away or lies below something else, also in part, is looked at where it is in sight.
      const ends = [[x, y], [x, top + 1], [x, bottom - 1], [left + 1, y], [right - 1, y]];
      const isWhole = ends.every(([atX, atY]) => atX >= 0 && atY >= 0 && atX <= innerWidth && atY <= innerHeight && takes(target, atX, atY));
      if (width === 0 || !isWhole) continue;
      const reach = (dx, dy) => {
        let far = 0;
        while (far < FINGER && takes(target, x + dx * (far + 1), y + dy * (far + 1))) far++;
        return far;
      };
      const [across, down] = [reach(-1, 0) + reach(1, 0), reach(0, -1) + reach(0, 1)];
      if (across >= FINGER - 2 * ROUNDING && down >= FINGER - 2 * ROUNDING) continue;
      const name = target.getAttribute('aria-label') ?? (target.textContent.trim() || target.getAttribute('placeholder') || '');
      found.add(target.localName + '.' + target.className + ' ' + name.slice(0, 30) + ' ' + across + 'x' + down);
    }
    return [...found];
  })()`);
}
