import { Component, type ComponentChildren, type Ref } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { Heights } from './heights.ts';
import { type Anchor, anchorAt, drawnAnchor, restoreAnchor, standingAnchor } from './scroll-anchor.ts';

/** Methods for the owner of a list. */
export interface VirtualListHandle {
  /** Scrolls to a row. `part`: distance of its top from the upper edge, in heights of the viewport. */
  scrollTo: (key: string, part?: number) => void;
  /** Scrolls to the end, and calls a function once that is drawn: before the next event. */
  scrollToEnd: (then?: () => void) => void;
}

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Draws a row; must be the same function at each render, so that unchanged rows are not drawn again. */
  readonly render: (item: Item) => ComponentChildren;
  /**
   * Estimated height of a row that was never shown, in px; or the measured heights of an earlier list of these rows.
   */
  readonly estimate: number | Heights;
  readonly label: string;
  readonly handle?: Ref<VirtualListHandle> | undefined;
  /** Key of the row at which it opens; the end without one. */
  readonly start?: string | undefined;
  /** Height of the part before that row that is shown, in px. */
  readonly startRoom?: number | undefined;
  /** Opens at its start, and stays there while the start is visible. */
  readonly fromStart?: boolean | undefined;
  /** Whether it follows new rows at the end while the end is visible. */
  readonly followsEnd?: boolean | undefined;
  /** Height drawn beyond the viewport on each side, in heights of the viewport; none until the first paint. */
  readonly beyond?: number | undefined;
  /** Called with the keys of the first and last fully visible row, and whether the end is visible. */
  readonly onShown?: ((first: string, last: string, isAtEnd: boolean) => void) | undefined;
  /** Called near the first or last row, to fetch more. */
  readonly onNearStart?: (() => void) | undefined;
  readonly onNearEnd?: (() => void) | undefined;
  /** Content before and after the rows, which scrolls with them. */
  readonly before?: ComponentChildren | undefined;
  readonly after?: ComponentChildren | undefined;
  readonly class?: string | undefined;
  /** Class of the element around the rows. */
  readonly rowsClass?: string | undefined;
  /** Role of the element around the rows; without one the rows bring their own. */
  readonly role?: 'list' | 'feed' | 'listbox' | 'presentation' | undefined;
}

/** Distance from the end within which the list counts as being at its end, in px. */
const END = 40;
/** More heights of a viewport than any list has. */
const EVERYTHING = 1e6;
/** Height of the last list, in px; the next one usually has the same. */
let usualHeight = 800;

/**
 * A list that draws only visible rows. Its position is anchored to a row instead of a pixel, so that the topmost
 * visible row stays in place whatever changes elsewhere.
 */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, keyOf, render, estimate, label, start, class: extra = '', rowsClass = '', role = 'list' } = props;
  const box = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const heights = useRef<Heights>();
  heights.current ??= typeof estimate === 'number' ? new Heights(estimate) : estimate;
  const keys = useMemo(() => items.map(keyOf), [items, keyOf]);
  heights.current.setKeys(keys);
  const state = useRef<ScrollState>({
    anchor:
      props.fromStart === true ? 'start' : start === undefined ? 'end' : { key: start, offset: props.startRoom ?? 0 },
    from: 0,
    to: 0,
    height: usualHeight,
    ownTop: -1,
    beyond: 0,
  });
  state.current.anchor = standingAnchor(state.current.anchor, keys);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const parts = (): Parts | undefined =>
    box.current && rows.current ? { view: box.current, list: rows.current } : undefined;
  const { from, to } = visibleRange(parts(), heights.current, state.current);
  [state.current.from, state.current.to] = [from, to];
  const latest = useRef(props);
  latest.current = props;
  const whenDrawn = useRef<(() => void)[]>([]);

  useLayoutEffect(() => {
    const [drawn, known] = [parts(), heights.current];
    if (drawn && known) settle(drawn, known, state.current, redraw);
    for (const tell of whenDrawn.current.splice(0)) tell();
  });
  useLayoutEffect(() => {
    const [drawn, known] = [parts(), heights.current];
    if (!drawn || !known) return;
    return watch(drawn, state.current, () => settle(drawn, known, state.current, redraw), latest);
  }, []);
  useEffect(() => {
    const draw = (beyond: number) => {
      state.current.beyond = beyond;
      // What was printed was as high as its rows.
      state.current.height = box.current?.clientHeight ?? usualHeight;
      redraw(undefined);
    };
    return whenPainted(
      () => draw(latest.current.beyond ?? 1),
      () => draw(EVERYTHING),
    );
  }, []);
  useLayoutEffect(() => {
    // Also covers rows that are visible without scrolling.
    const drawn = parts();
    if (drawn) reportShown(drawn, latest.current);
  }, [keys]);
  useImperativeHandle(props.handle ?? null, () => ({
    scrollTo: (key, part = 0) => {
      state.current.anchor = { key, offset: Math.round((box.current?.clientHeight ?? 0) * part) };
      redraw(undefined);
    },
    scrollToEnd: (then) => {
      if (then) whenDrawn.current.push(then);
      state.current.anchor = 'end';
      redraw(undefined);
    },
  }));

  const [paddingBlockStart, paddingBlockEnd] = roomAround(heights.current, from, to);
  return (
    <div ref={box} class={`scroll virtual ${extra}`.trimEnd()} tabIndex={0} role="region" aria-label={label}>
      {props.before}
      <div
        ref={rows}
        class={`rows-in-sight ${rowsClass}`.trimEnd()}
        role={role}
        style={{ paddingBlockStart, paddingBlockEnd }}
      >
        {items.slice(from, to).map((item, index) => (
          <Row
            key={keys[from + index]}
            id={keys[from + index] ?? ''}
            role={role === 'list' ? 'listitem' : undefined}
            item={item}
            render={render}
          />
        ))}
      </div>
      {props.after}
    </div>
  );
}

interface RowProps<Item> {
  readonly id: string;
  readonly role: 'listitem' | undefined;
  readonly item: Item;
  readonly render: (item: Item) => ComponentChildren;
}

/**
 * A row that is drawn again only for another item or renderer, or by its own signals, so scrolling and new rows draw
 * only what is new. A class, because only classes have `shouldComponentUpdate`; returning the previous element instead
 * would retain every page that it was part of.
 */
class Row<Item> extends Component<RowProps<Item>> {
  override shouldComponentUpdate(next: RowProps<Item>, state: object): boolean {
    const { id, role, item, render } = this.props;
    // Reading a signal changes the row's state.
    if (state !== this.state || next.id !== id || next.role !== role || next.render !== render) return true;
    return !isSame(next.item, item);
  }

  override render({ id, role, item, render }: RowProps<Item>): ComponentChildren {
    return (
      <div data-key={id} role={role}>
        {render(item)}
      </div>
    );
  }
}

/** Whether two items are identical, or have identical fields. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const [fields, others] = [Object.entries(one), new Map(Object.entries(other))];
  return fields.length === others.size && fields.every(([name, value]) => Object.is(value, others.get(name)));
}

/** Returns the padding that stands for undrawn rows, before and after the drawn ones. */
function roomAround(heights: Heights, from: number, to: number): [string, string] {
  return [`${heights.top(from)}px`, `${heights.total - heights.top(to)}px`];
}

/**
 * Runs a function after the next frame was painted and after the page was printed, and another one before it is
 * printed, when the window's height limits nothing. Returns a function that ends this.
 */
function whenPainted(run: () => void, print: () => void): () => void {
  let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(run)));
  addEventListener('beforeprint', print);
  addEventListener('afterprint', run);
  return () => {
    cancelAnimationFrame(frame);
    removeEventListener('beforeprint', print);
    removeEventListener('afterprint', run);
  };
}

interface ScrollState {
  anchor: Anchor;
  /** Range of the drawn rows, to tell whether a scroll needs more. */
  from: number;
  to: number;
  /** Height of the viewport in px: reading it while rows are drawn would force a layout. */
  height: number;
  /** Height drawn beyond the viewport, in heights of it. */
  beyond: number;
  /** Position to which the code itself scrolled last. */
  ownTop: number;
}

/** The elements of a list that was drawn: the viewport, and what holds the rows. */
interface Parts {
  readonly view: HTMLElement;
  readonly list: HTMLElement;
}

/** Returns the range of rows to draw, without its end. */
function visibleRange(parts: Parts | undefined, heights: Heights, state: ScrollState): { from: number; to: number } {
  const { beyond, height } = state;
  const top = anchorTop(parts, heights, state);
  const from = heights.indexAt(top - height * beyond);
  const to = Math.min(heights.keys.length, heights.indexAt(top + height * (1 + beyond)) + 1);
  return { from, to };
}

/** Returns the offset at which the viewport begins when the anchor is in its place. */
function anchorTop(parts: Parts | undefined, heights: Heights, { anchor, height }: ScrollState): number {
  if (anchor === 'start') return 0;
  if (anchor === 'end') return heights.total - height;
  const index = heights.keys.indexOf(anchor.key);
  if (index >= 0) return heights.top(index) - anchor.offset;
  return parts ? parts.view.scrollTop - parts.list.offsetTop : 0;
}

/** Measures the drawn rows and restores the anchor; redraws when rows that are not drawn are visible. */
function settle(parts: Parts, heights: Heights, state: ScrollState, redraw: (_: undefined) => void): void {
  const { view, list } = parts;
  state.height = usualHeight = view.clientHeight;
  let changed = false;
  let index = state.from;
  for (const row of list.children)
    if (row instanceof HTMLElement && row.dataset['key'] !== undefined)
      changed = heights.measure(row.dataset['key'], row.getBoundingClientRect().height, index++) || changed;
  const { from, to } = visibleRange(parts, heights, state);
  // Not custom properties: rows would inherit these, and the styles of all elements in them would be recalculated.
  if (changed) [list.style.paddingBlockStart, list.style.paddingBlockEnd] = roomAround(heights, state.from, state.to);
  // Superfluous rows may stay: they are removed with the next redraw.
  if (from < state.from || to > state.to) redraw(undefined);
  else state.anchor = drawnAnchor(view, list, state.anchor);
  restoreAnchor(view, list, state.anchor);
  state.ownTop = view.scrollTop;
}

/** Listens for scrolling and for changes of the rows' heights. */
function watch<Item>(
  parts: Parts,
  state: ScrollState,
  again: () => void,
  latest: { readonly current: VirtualListProps<Item> },
): () => void {
  const { view, list } = parts;
  const onScroll = () => {
    const { onNearStart, onNearEnd, fromStart = false, followsEnd = !fromStart } = latest.current;
    const isAtEnd = isAtEndOf(view);
    // The event of the list's own scrolling arrives later, when rows may have grown; it must not change the anchor.
    const isOwn = Math.abs(view.scrollTop - state.ownTop) < 1;
    if (!isOwn)
      state.anchor = fromStart && view.scrollTop <= 0 ? 'start' : isAtEnd && followsEnd ? 'end' : anchorAt(view, list);
    again();
    if (view.scrollTop < view.clientHeight) onNearStart?.();
    if (view.scrollHeight - view.scrollTop < 2 * view.clientHeight) onNearEnd?.();
    reportShown(parts, latest.current);
  };
  const sizes = new ResizeObserver(again);
  const rows = new MutationObserver(() => observeRows(sizes, list));
  observeRows(sizes, list);
  sizes.observe(view);
  rows.observe(list, { childList: true });
  view.addEventListener('scroll', onScroll, { passive: true });
  return () => {
    sizes.disconnect();
    rows.disconnect();
    view.removeEventListener('scroll', onScroll);
  };
}

function isAtEndOf(view: HTMLElement): boolean {
  return view.scrollHeight - view.scrollTop - view.clientHeight <= END;
}

function reportShown<Item>({ view, list }: Parts, { onShown }: VirtualListProps<Item>): void {
  const [first, last] = shownKeys(view, list);
  if (first !== undefined && last !== undefined) onShown?.(first, last, isAtEndOf(view));
}

function observeRows(sizes: ResizeObserver, list: HTMLElement): void {
  for (const row of list.children) sizes.observe(row);
}

/** Returns the keys of the first and last fully visible row. */
function shownKeys(view: HTMLElement, list: HTMLElement): [string | undefined, string | undefined] {
  const frame = view.getBoundingClientRect();
  const shown = [...list.children].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom <= frame.bottom + 1 && top >= frame.top - 1;
  });
  const key = (row: Element | undefined) => (row instanceof HTMLElement ? row.dataset['key'] : undefined);
  return [key(shown[0]), key(shown.at(-1))];
}
