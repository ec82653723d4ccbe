import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface RovingOptions {
  /** CSS selector of the items within the element. */
  readonly items: string;
  readonly axis?: 'vertical' | 'horizontal' | 'both';
  /** Whether the first item follows the last: in menus, not in lists. */
  readonly wraps?: boolean;
  /** Whether a letter jumps to the item that begins with it. */
  readonly letters?: boolean;
  /** Whether `j` and `k` act as arrow keys. */
  readonly vi?: boolean;
}

/**
 * Makes many items one tab stop: arrow keys, Home and End move between them, and Tab returns to the last focused one.
 */
export function useRoving<Element extends HTMLElement>(options: RovingOptions): RefObject<Element> {
  const ref = useRef<Element>(null);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const root = ref.current;
    if (!root) return;
    const onKey = (event: KeyboardEvent) => moveFocus(root, latest.current, event);
    const onFocus = (event: FocusEvent) => rest(root, latest.current, event.target);
    root.addEventListener('keydown', onKey);
    root.addEventListener('focusin', onFocus);
    return () => {
      root.removeEventListener('keydown', onKey);
      root.removeEventListener('focusin', onFocus);
    };
  }, []);
  useEffect(() => {
    if (ref.current) rest(ref.current, options, document.activeElement);
  });
  return ref;
}

function itemsOf(root: HTMLElement, { items }: RovingOptions): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(items)];
}

/** Leaves one item in the tab order: the focused one, else the previous one, else the current or the first. */
function rest(root: HTMLElement, options: RovingOptions, focused: EventTarget | null): void {
  const all = itemsOf(root, options);
  const current =
    all.find((item) => item === focused) ??
    all.find((item) => item.tabIndex === 0 && item.hasAttribute('data-rest')) ??
    all.find((item) => item.hasAttribute('aria-current')) ??
    all[0];
  for (const item of all) {
    item.tabIndex = item === current ? 0 : -1;
    item.toggleAttribute('data-rest', item === current);
    // Tab leads from an item to the button of its menu, and past those of the others.
    const beside = item.nextElementSibling;
    if (beside instanceof HTMLElement && beside.matches('.more')) beside.tabIndex = item.tabIndex;
  }
}

function moveFocus(root: HTMLElement, options: RovingOptions, event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
  const all = itemsOf(root, options);
  const at = all.findIndex((item) => item === event.target);
  if (at < 0) return;
  const next = target(all, at, options, event);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Whether keys that are pressed there are text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

function target(
  all: readonly HTMLElement[],
  at: number,
  options: RovingOptions,
  event: KeyboardEvent,
): HTMLElement | undefined {
  const { key } = event;
  if (key === 'Home') return all[0];
  if (key === 'End') return all.at(-1);
  const step = stepOf(key, options);
  if (step !== 0) {
    const next = at + step;
    return options.wraps === true ? all[(next + all.length) % all.length] : all[next];
  }
  if (options.letters !== true || key.length !== 1) return undefined;
  const begins = (item: HTMLElement) => (item.textContent ?? '').trim().toLowerCase().startsWith(key.toLowerCase());
  return [...all.slice(at + 1), ...all.slice(0, at)].find(begins);
}

function stepOf(key: string, { axis = 'vertical', vi = false }: RovingOptions): -1 | 0 | 1 {
  const isRtl = document.documentElement.dir === 'rtl';
  if (axis !== 'horizontal' && (key === 'ArrowDown' || (vi && key === 'j'))) return 1;
  if (axis !== 'horizontal' && (key === 'ArrowUp' || (vi && key === 'k'))) return -1;
  if (axis !== 'vertical' && key === 'ArrowRight') return isRtl ? -1 : 1;
  if (axis !== 'vertical' && key === 'ArrowLeft') return isRtl ? 1 : -1;
  return 0;
}
