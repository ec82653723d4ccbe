import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { givingBack } from './give-back.ts';

interface PopoverProps {
  readonly children: ComponentChildren;
  /** The element that it opens beside, and to which focus returns. */
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  /** The edge of the anchor with which it is aligned. */
  readonly align?: 'start' | 'end' | undefined;
  /** Prefers to open above the anchor where there is room on both sides. */
  readonly above?: boolean | undefined;
  readonly class?: string | undefined;
  readonly role?: 'dialog' | 'listbox' | 'menu' | undefined;
  readonly label?: string | undefined;
}

/** Distance of a popover from its anchor and from the window's edge, in px. */
const AIR = 4;

/**
 * A popover beside its anchor, on the side with more room. Escape, a press elsewhere or losing the focus closes it. On
 * phones the style sheet puts it at the bottom.
 */
export function Popover(props: PopoverProps) {
  const { children, anchor, onClose, align = 'start', above = false, class: extra = '', role, label } = props;
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const giveBack = givingBack(anchor);
    box.showPopover();
    // At once, as the next key is meant for the menu, or for the card.
    const first = box.querySelector<HTMLElement>(role === 'dialog' ? 'input' : '[role^="menuitem"]');
    (first ?? (role === 'dialog' ? box : undefined))?.focus();
    // Its content may load later and change its size.
    const sizes = new ResizeObserver(() => place(box, anchor, align, above));
    sizes.observe(box);
    place(box, anchor, align, above);
    return () => {
      sizes.disconnect();
      if (box.contains(document.activeElement) || document.activeElement === document.body) giveBack();
    };
  }, [anchor, align, above]);
  useDismissal(ref, anchor, onClose);
  return (
    <div
      ref={ref}
      popover="manual"
      class={`pop ${extra}`.trimEnd()}
      role={role}
      aria-label={label}
      tabIndex={role === 'dialog' ? -1 : undefined}
    >
      {children}
    </div>
  );
}

/** The open popovers, the last one on top: a menu of a card lies over the card. */
const open: object[] = [];

function useDismissal(ref: { readonly current: HTMLElement | null }, anchor: HTMLElement, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  // Before the paint, as a key may be pressed as soon as the popover is seen.
  useLayoutEffect(() => {
    const isInside = (node: EventTarget | null) =>
      node instanceof Node && (ref.current?.contains(node) === true || anchor.contains(node));
    const onPress = (event: Event) => {
      if (!isInside(event.target)) close.current();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || open.at(-1) !== close) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      close.current();
    };
    open.push(close);
    document.addEventListener('pointerdown', onPress, true);
    document.addEventListener('focusin', onPress, true);
    document.addEventListener('keydown', onKey, true);
    return () => {
      open.splice(open.indexOf(close), 1);
      document.removeEventListener('pointerdown', onPress, true);
      document.removeEventListener('focusin', onPress, true);
      document.removeEventListener('keydown', onKey, true);
    };
  }, [ref, anchor]);
}

function place(box: HTMLElement, anchor: HTMLElement, align: 'start' | 'end', above: boolean): void {
  const at = anchor.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  // At the composer it must cover neither the text nor the line that names the recipient.
  const edge = (anchor.closest('.dock .composer') ?? anchor).getBoundingClientRect().top;
  const [roomAbove, roomBelow] = [edge, window.innerHeight - at.bottom];
  const goesUp = above
    ? roomAbove >= height + AIR || roomAbove > roomBelow
    : roomBelow < height + AIR && roomAbove > roomBelow;
  const top = goesUp ? edge - height - AIR : at.bottom + AIR;
  const toLeft = (align === 'start') === (document.documentElement.dir === 'rtl');
  const left = toLeft ? at.right - width : at.left;
  // Custom properties, because on phones the style sheet decides the position.
  box.style.setProperty('--top', `${clamp(top, window.innerHeight - height)}px`);
  box.style.setProperty('--left', `${clamp(left, window.innerWidth - width)}px`);
}

function clamp(value: number, most: number): number {
  return Math.max(AIR, Math.min(value, most - AIR));
}
