import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const FOCUSABLE = ':is(a[href], button, input, select, textarea, [tabindex]):not([disabled], [type="hidden"])';

/** The position of an element: its index in each ancestor, from itself upwards. */
type Trail = readonly { readonly parent: Element; readonly index: number }[];

interface RegionProps {
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/**
 * A scrolling part of the page. When the focused element in it is removed, such as a row, the element now in its place
 * gets the focus; browsers would focus nothing.
 */
export function Region({ label, class: look, children }: RegionProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => (ref.current ? keepFocus(ref.current) : undefined), []);
  return (
    <div class={look} ref={ref} tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}

/** Does the same for an existing element, until the returned function is called. */
export function keepFocus(root: HTMLElement): () => void {
  let last: { readonly element: HTMLElement; readonly trail: Trail } | undefined;
  const onFocus = ({ target }: FocusEvent) => {
    last =
      target instanceof HTMLElement && target !== root ? { element: target, trail: trailOf(target, root) } : undefined;
  };
  // Forgets an element that loses the focus normally. One that was removed, or moved within the list, is remembered;
  // some browsers send a blur event then, too.
  const onLeave = ({ target }: FocusEvent) => {
    queueMicrotask(() => {
      if (last?.element === target && isAt(last.trail, last.element)) last = undefined;
    });
  };
  const changes = new MutationObserver(() => {
    if (last === undefined || document.activeElement !== document.body) return;
    const heir = last.element.isConnected ? last.element : standIn(last.trail, root);
    heir?.focus();
  });
  root.addEventListener('focusin', onFocus);
  root.addEventListener('focusout', onLeave);
  changes.observe(root, { childList: true, subtree: true });
  return () => {
    changes.disconnect();
    root.removeEventListener('focusin', onFocus);
    root.removeEventListener('focusout', onLeave);
  };
}

function isAt(trail: Trail, element: Element): boolean {
  let at = element;
  for (const { parent, index } of trail) {
    if (!at.isConnected || parent.children[index] !== at) return false;
    at = parent;
  }
  return true;
}

function trailOf(element: Element, root: Element): Trail {
  const trail: { parent: Element; index: number }[] = [];
  for (let at = element; at !== root && at.parentElement; at = at.parentElement)
    trail.push({ parent: at.parentElement, index: [...at.parentElement.children].indexOf(at) });
  return trail;
}

/** Returns the element that is now at the position, or the nearest one around it. */
function standIn(trail: Trail, root: HTMLElement): HTMLElement | undefined {
  const known = trail.findIndex(({ parent }) => parent.isConnected);
  let at: Element = trail[known]?.parent ?? root;
  for (const { index } of trail.slice(0, known + 1).toReversed()) {
    const next = at.children[Math.min(index, at.children.length - 1)];
    if (!next) break;
    at = next;
  }
  for (let around: Element | null = at; around && root.contains(around); around = around.parentElement) {
    const found = [around, ...around.querySelectorAll(FOCUSABLE)].find(
      (one) => one.matches(FOCUSABLE) && one.checkVisibility(),
    );
    if (found instanceof HTMLElement) return found;
  }
  return undefined;
}
