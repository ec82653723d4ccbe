import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Finishes animations: axe measures the colours of one moment, and half-way through a fade they are too pale. */
const SETTLE = `for (const animation of document.getAnimations())
  if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();`;

/**
 * Returns the accessibility faults of the page as `rule: element`, and by how many pixels it is wider than the window.
 * `part` limits the check to an element.
 */
export async function inspect(page: Page, part?: string): Promise<{ found: string[]; overflow: number }> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  return page.evaluate(`(async () => {
    ${SETTLE}
    const shown = ${part === undefined ? 'document' : `[...document.querySelectorAll(${JSON.stringify(part)})].filter((one) => one.checkVisibility())`};
    // Nothing here plays media or locks the orientation, the only checks for which axe would fetch style sheets and
    // files again.
    const { violations } = await axe.run(shown, { resultTypes: ['violations'], preload: false });
    return {
      found: violations.flatMap((rule) =>
        rule.nodes.map((node) => [rule.id, node.html.slice(0, 160), node.any[0]?.message ?? ''].join(': ')),
      ),
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  })()`);
}

/** Returns the first words of texts that extend beyond the window to a side where nobody can scroll to them. */
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
 * Returns controls that are smaller than a finger needs (44 px high and wide): rows, buttons, fields, chips. Links and
 * names in a text are as high as its lines; a control in a label is as large as that.
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
    const layerOf = (element) => element?.closest('dialog[open], [popover]:popover-open') ?? null;
    const isSmall = (across, down) => across < FINGER - 2 * ROUNDING || down < FINGER - 2 * ROUNDING;
    const sizeOf = (target, x, y) => {
      let isBesideLayer = false;
      const reach = (dx, dy) => {
        let far = 0;
        while (far < FINGER && takes(target, x + dx * (far + 1), y + dy * (far + 1))) far++;
        // An open menu may cover the space around the control, which is checked without the menu instead.
        const layer = layerOf(document.elementFromPoint(x + dx * (far + 1), y + dy * (far + 1)));
        if (far < FINGER && layer !== null && layer !== layerOf(target)) isBesideLayer = true;
        return far;
      };
      return { across: reach(-1, 0) + reach(1, 0), down: reach(0, -1) + reach(0, 1), isBesideLayer };
    };
    const found = new Set();
    for (const target of document.querySelectorAll(TARGETS)) {
      if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isText(target)) continue;
      const { left, right, top, bottom, width } = target.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      // A control that is scrolled away or covered, even in part, is checked where it is visible.
      const ends = [[x, y], [x, top + 1], [x, bottom - 1], [left + 1, y], [right - 1, y]];
      const isWhole = ends.every(([atX, atY]) => atX >= 0 && atY >= 0 && atX <= innerWidth && atY <= innerHeight && takes(target, atX, atY));
      if (width === 0 || !isWhole) continue;
      let { across, down, isBesideLayer } = sizeOf(target, x, y);
      if (!isBesideLayer && isSmall(across, down)) {
        // A bar at the edge of the window may cover what is around it; there is nothing of the kind in the middle.
        target.scrollIntoView({ block: 'center' });
        const at = target.getBoundingClientRect();
        ({ across, down, isBesideLayer } = sizeOf(target, (at.left + at.right) / 2, (at.top + at.bottom) / 2));
      }
      if (isBesideLayer || !isSmall(across, down)) continue;
      const name = target.getAttribute('aria-label') ?? (target.textContent.trim() || target.getAttribute('placeholder') || '');
      found.add(target.localName + '.' + target.className + ' ' + name.slice(0, 30) + ' ' + across + 'x' + down);
    }
    return [...found];
  })()`);
}
