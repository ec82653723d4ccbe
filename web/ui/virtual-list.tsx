import { Component, type ComponentChildren, type Ref } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { Heights } from './heights.ts';
import { type Anchor, anchorAt, drawnAnchor, restoreAnchor, standingAnchor } from './scroll-anchor.ts';

/** What the owner of a list can do with it. */
export interface VirtualListHandle {
  /** Shows a row, with its top at a part of the window's height from the top: 0 is the upper edge. */
  scrollTo: (key: string, part?: number) => void;
  scrollToEnd: () => void;
}

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Draws a row; the same function at each draw, so that rows that are the same need not be drawn again. */
  readonly render: (item: Item) => ComponentChildren;
  /** Height of a row that was never shown, in px. */
  readonly estimate: number;
  readonly label: string;
  readonly handle?: Ref<VirtualListHandle> | undefined;
  /** Key of the row at which it opens; the end without one. */
  readonly start?: string | undefined;
  /** How much of what is before that row is shown, in px. */
  readonly startRoom?: number | undefined;
  /** Opens at its start, and stays there while that is shown. */
  readonly fromStart?: boolean | undefined;
  /** Whether new rows at the end are followed while the end is shown. */
  readonly followsEnd?: boolean | undefined;
  /** What is drawn beyond the window on each side, in heights of the window; nothing until what is in sight is painted. */
  readonly beyond?: number | undefined;
  /** Keys of the first and last row that are fully shown, and whether the end is. */
  readonly onShown?: ((first: string, last: string, isAtEnd: boolean) => void) | undefined;
  /** The edge of what there is comes near: time to fetch more. */
  readonly onNearStart?: (() => void) | undefined;
  readonly onNearEnd?: (() => void) | undefined;
  /** Stands before and after the rows and scrolls with them. */
  readonly before?: ComponentChildren | undefined;
  readonly after?: ComponentChildren | undefined;
  readonly class?: string | undefined;
  /** The look of what holds the rows. */
  readonly rowsClass?: string | undefined;
  /** Without one its rows bring their own. */
  readonly role?: 'list' | 'feed' | 'listbox' | 'presentation' | undefined;
}

/** Within so many px of the end one is at the end. */
const END = 40;

/**
 * A list that draws the rows in sight. Its position is anchored to a row, not to a pixel: whatever grows, shrinks, comes or goes
 * elsewhere, the topmost row in sight stays where it is.
 */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, keyOf, render, estimate, label, start, class: extra = '', rowsClass = '', role = 'list' } = props;
  const box = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const heights = useRef<Heights>();
  heights.current ??= new Heights(estimate);
  const keys = useMemo(() => items.map(keyOf), [items, keyOf]);
  heights.current.setKeys(keys);
  const state = useRef<ScrollState>({
    anchor:
      props.fromStart === true ? 'start' : start === undefined ? 'end' : { key: start, offset: props.startRoom ?? 0 },
    from: 0,
    to: 0,
    ownTop: -1,
    beyond: 0,
  });
  state.current.anchor = standingAnchor(state.current.anchor, keys);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const { from, to } = visibleRange(box.current, rows.current, heights.current, keys, state.current);
  [state.current.from, state.current.to] = [from, to];
  const latest = useRef(props);
  latest.current = props;

  useLayoutEffect(() => {
    const [view, list, known] = [box.current, rows.current, heights.current];
    if (!view || !list || !known) return;
    settle(view, list, known, keys, state.current, redraw);
  });
  useLayoutEffect(() => {
    const [view, list, known] = [box.current, rows.current, heights.current];
    if (!view || !list || !known) return;
    const again = () => settle(view, list, known, known.keys, state.current, redraw);
    return watch(view, list, state.current, again, latest);
  }, []);
  useEffect(
    () =>
      afterPaint(() => {
        state.current.beyond = latest.current.beyond ?? 1;
        redraw(undefined);
      }),
    [],
  );
  useLayoutEffect(() => {
    // What fits without scrolling is in sight, too.
    if (box.current && rows.current) tellShown(box.current, rows.current, latest.current);
  }, [keys]);
  useImperativeHandle(props.handle ?? null, () => ({
    scrollTo: (key, part = 0) => {
      state.current.anchor = { key, offset: Math.round((box.current?.clientHeight ?? 0) * part) };
      redraw(undefined);
    },
    scrollToEnd: () => {
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
 * A row, which is not drawn again while it stands for the same, so that scrolling and what comes draw only what is new. What is in
 * it changes by its own signals, or with the item or the way it is drawn. A class, because only these are asked whether they are to
 * be drawn: to hand out what was drawn before instead would keep every page that it ever stood in.
 */
class Row<Item> extends Component<RowProps<Item>> {
  override shouldComponentUpdate(next: RowProps<Item>, state: object): boolean {
    const { id, role, item, render } = this.props;
    // Signals that it reads tell it by its state.
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

/** Whether two items are one, or hold the same. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const [fields, others] = [Object.entries(one), new Map(Object.entries(other))];
  return fields.length === others.size && fields.every(([name, value]) => Object.is(value, others.get(name)));
}

/** The room of the rows that are not drawn, before and after those that are. */
function roomAround(heights: Heights, from: number, to: number): [string, string] {
  return [`${heights.top(from)}px`, `${heights.total - heights.top(to)}px`];
}

/** Runs after the next frame was painted; returns how to call it off. */
function afterPaint(run: () => void): () => void {
  let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(run)));
  return () => cancelAnimationFrame(frame);
}

interface ScrollState {
  anchor: Anchor;
  /** What is drawn, to tell whether a scroll needs more. */
  from: number;
  to: number;
  /** What is drawn around the window, in heights of it. */
  beyond: number;
  /** Where we scrolled to ourselves, last. */
  ownTop: number;
}

/** Rows to draw, from the first to before the last. */
function visibleRange(
  view: HTMLElement | null,
  list: HTMLElement | null,
  heights: Heights,
  keys: readonly string[],
  { anchor, beyond }: ScrollState,
): { from: number; to: number } {
  const height = view?.clientHeight ?? 800;
  const top = anchorTop(view, list, heights, keys, anchor, height);
  const from = heights.indexAt(top - height * beyond);
  const to = Math.min(keys.length, heights.indexAt(top + height * (1 + beyond)) + 1);
  return { from, to };
}

/** Where the window begins among the rows, if the anchor lies where it shall. */
function anchorTop(
  view: HTMLElement | null,
  list: HTMLElement | null,
  heights: Heights,
  keys: readonly string[],
  anchor: Anchor,
  height: number,
): number {
  if (anchor === 'start') return 0;
  if (anchor === 'end') return heights.total - height;
  const index = keys.indexOf(anchor.key);
  if (index >= 0) return heights.top(index) - anchor.offset;
  return view && list ? view.scrollTop - list.offsetTop : 0;
}

/** Measures what is there, and puts the anchor where it was; draws again when other rows are in sight than are drawn. */
function settle(
  view: HTMLElement,
  list: HTMLElement,
  heights: Heights,
  keys: readonly string[],
  state: ScrollState,
  redraw: (_: undefined) => void,
): void {
  let changed = false;
  let index = state.from;
  for (const row of list.children)
    if (row instanceof HTMLElement && row.dataset['key'] !== undefined)
      changed = heights.measure(row.dataset['key'], row.getBoundingClientRect().height, index++) || changed;
  const { from, to } = visibleRange(view, list, heights, keys, state);
  // Not by properties of our own: rows inherit those, and the style of each element in them would be computed again.
  if (changed) [list.style.paddingBlockStart, list.style.paddingBlockEnd] = roomAround(heights, state.from, state.to);
  if (from !== state.from || to !== state.to) redraw(undefined);
  else state.anchor = drawnAnchor(view, list, state.anchor);
  restoreAnchor(view, list, state.anchor);
  state.ownTop = view.scrollTop;
}

/** Listens to scrolling and to rows that change their height. */
function watch<Item>(
  view: HTMLElement,
  list: HTMLElement,
  state: ScrollState,
  again: () => void,
  latest: { readonly current: VirtualListProps<Item> },
): () => void {
  const onScroll = () => {
    const { onNearStart, onNearEnd, fromStart = false, followsEnd = !fromStart } = latest.current;
    const isAtEnd = isAtEndOf(view);
    // Our own scrolling is told later, when rows may have grown: it says nothing of what the reader wants to see.
    const isOwn = Math.abs(view.scrollTop - state.ownTop) < 1;
    if (!isOwn)
      state.anchor = fromStart && view.scrollTop <= 0 ? 'start' : isAtEnd && followsEnd ? 'end' : anchorAt(view, list);
    again();
    if (view.scrollTop < view.clientHeight) onNearStart?.();
    if (view.scrollHeight - view.scrollTop < 2 * view.clientHeight) onNearEnd?.();
    tellShown(view, list, latest.current);
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

function tellShown<Item>(view: HTMLElement, list: HTMLElement, { onShown }: VirtualListProps<Item>): void {
  const [first, last] = shownKeys(view, list);
  if (first !== undefined && last !== undefined) onShown?.(first, last, isAtEndOf(view));
}

function observeRows(sizes: ResizeObserver, list: HTMLElement): void {
  for (const row of list.children) sizes.observe(row);
}

/** Keys of the first and the last row that are wholly in sight. */
function shownKeys(view: HTMLElement, list: HTMLElement): [string | undefined, string | undefined] {
  const frame = view.getBoundingClientRect();
  const shown = [...list.children].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom <= frame.bottom + 1 && top >= frame.top - 1;
  });
  const key = (row: Element | undefined) => (row instanceof HTMLElement ? row.dataset['key'] : undefined);
  return [key(shown[0]), key(shown.at(-1))];
}
