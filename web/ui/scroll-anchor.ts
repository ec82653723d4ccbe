/** What stays in its place when anything changes: a row, with the distance of its top from the window's; or an edge. */
export type Anchor = 'start' | 'end' | { readonly key: string; readonly offset: number };

/** The topmost row that is fully in sight, or the one that covers the window. */
export function anchorAt(view: HTMLElement, list: HTMLElement): Anchor {
  const edge = view.getBoundingClientRect().top;
  let covering: Anchor = 'end';
  for (const row of list.children) {
    if (!(row instanceof HTMLElement) || row.dataset['key'] === undefined) continue;
    const { top, bottom } = row.getBoundingClientRect();
    const anchor = { key: row.dataset['key'], offset: top - edge };
    if (top >= edge) return anchor;
    if (bottom > edge) covering = anchor;
  }
  return covering;
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
  const row = [...list.children].find((child) => child instanceof HTMLElement && child.dataset['key'] === anchor.key);
  if (!row) return;
  const gap = row.getBoundingClientRect().top - view.getBoundingClientRect().top - anchor.offset;
  if (Math.abs(gap) >= 1) view.scrollTop += gap;
}
