/** What stays in its place when anything changes: a row, with the distance of its top from the window's; or an edge. */
export type Anchor = 'start' | 'end' | Held;

interface Held {
  readonly key: string;
  readonly offset: number;
  /** The next rows, which hold the place when this one goes: so does the line of a day when older messages come before it. */
  readonly after?: readonly Held[];
}

/** How many rows hold a place: a day, a topic, and a message that stays. */
const MOST = 3;

/** The topmost row that is fully in sight, or the one that covers the window. */
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

/** The anchor, or the first of the rows after it that is still there. */
export function standingAnchor(anchor: Anchor, keys: readonly string[]): Anchor {
  if (typeof anchor === 'string') return anchor;
  const { after = [] } = anchor;
  const index = [anchor, ...after].findIndex(({ key }) => keys.includes(key));
  const standing = after[index - 1];
  return standing ? { ...standing, after: after.slice(index) } : anchor;
}

/**
 * The anchor, or, where somebody scrolled so far at once that its row is not drawn any more, one that is in sight: what is not
 * drawn holds nothing in its place.
 */
export function drawnAnchor(view: HTMLElement, list: HTMLElement, anchor: Anchor): Anchor {
  if (typeof anchor === 'string' || rowOf(list, anchor.key)) return anchor;
  const inSight = anchorAt(view, list);
  return inSight === 'end' ? anchor : inSight;
}

/** Scrolls so that the anchor lies where it did; nothing when it does. */
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
