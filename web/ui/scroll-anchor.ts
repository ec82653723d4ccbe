/** What stays in place when the list changes: a row, at a distance from the viewport's top, or an edge of the list. */
export type Anchor = 'start' | 'end' | Held;

interface Held {
  readonly key: string;
  readonly offset: number;
  /**
   * The next rows, which replace this one if it is removed, as a date line is when older messages are inserted before
   * it.
   */
  readonly after?: readonly Held[];
}

/** Number of rows in an anchor: a date line, a topic line, and a message, which stays. */
const MOST = 3;

/** Returns the topmost row that is fully visible, or else the one that fills the viewport. */
export function anchorAt(view: HTMLElement, list: HTMLElement): Anchor {
  const edge = view.getBoundingClientRect().top;
  let covering: Anchor = 'end';
  const found: Held[] = [];
  for (const row of list.children) {
    if (!(row instanceof HTMLElement) || row.dataset['key'] === undefined) continue;
    const { top, bottom } = row.getBoundingClientRect();
    const anchor = { key: row.dataset['key'], offset: top - edge };
    if (top >= edge && found.push(anchor) === MOST) break;
    if (top < edge && bottom > edge) covering = anchor;
  }
  const [first, ...after] = found;
  return first ? { ...first, after } : covering;
}

/** Returns the anchor, or the first of its following rows that still exists. */
export function standingAnchor(anchor: Anchor, keys: readonly string[]): Anchor {
  if (typeof anchor === 'string') return anchor;
  const { after = [] } = anchor;
  const index = [anchor, ...after].findIndex(({ key }) => keys.includes(key));
  const standing = after[index - 1];
  return standing ? { ...standing, after: after.slice(index) } : anchor;
}

/** Returns the anchor, or a visible row if a large scroll left the anchor's row undrawn. */
export function drawnAnchor(view: HTMLElement, list: HTMLElement, anchor: Anchor): Anchor {
  if (typeof anchor === 'string' || rowOf(list, anchor.key)) return anchor;
  const inSight = anchorAt(view, list);
  return inSight === 'end' ? anchor : inSight;
}

/** Scrolls so that the anchor is in its place. */
export function restoreAnchor(view: HTMLElement, list: HTMLElement, anchor: Anchor): void {
  if (anchor === 'start') {
    if (view.scrollTop !== 0) view.scrollTop = 0;
    return;
  }
  if (anchor === 'end') {
    const end = view.scrollHeight - view.clientHeight;
    if (Math.abs(view.scrollTop - end) > 1) view.scrollTop = end;
    return;
  }
  const row = rowOf(list, anchor.key);
  if (!row) return;
  const gap = row.getBoundingClientRect().top - view.getBoundingClientRect().top - anchor.offset;
  if (Math.abs(gap) >= 1) view.scrollTop += gap;
}

function rowOf(list: HTMLElement, key: string): Element | undefined {
  return [...list.children].find((child) => child instanceof HTMLElement && child.dataset['key'] === key);
}
