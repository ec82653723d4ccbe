import { useLayoutEffect, useRef } from 'preact/hooks';

/** Keeps the focus on a message whose row changes to editing or to a deleted message. */
export function useRowFocus(id: number, look: 'shown' | 'edited' | 'deleted'): void {
  const before = useRef(look);
  const hadFocus = useRef(false);
  if (before.current !== look) {
    before.current = look;
    hadFocus.current = focusedRow(id) !== undefined;
  }
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) focus(rows().find((row) => idOf(row) === id));
    hadFocus.current = false;
  }, [look]);
}

/** The message that had the focus when its whole conversation was moved, until it is drawn where it is now. */
let carried: number | undefined;

/**
 * Moves the focus of a message that leaves the feed to the next one, or to the last. Where none is left, as its topic
 * was renamed, the message has it again in the feed of the new name.
 */
export function useFocusOnNextRow(id: number, isGone: (id: number) => boolean): void {
  useLayoutEffect(() => {
    if (carried === id) {
      carried = undefined;
      if (document.activeElement === document.body) focus(rows().find((row) => idOf(row) === id));
    }
    return () => {
      const row = focusedRow(id);
      if (!row || !isGone(id)) return;
      const others = rows().filter((one) => one !== row && !isGone(idOf(one)));
      if (others.length === 0) carried = id;
      focus(others.find((one) => idOf(one) > id) ?? others.at(-1));
    };
  }, [id]);
}

function rows(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('main article[data-message]')];
}

function idOf({ dataset }: HTMLElement): number {
  return Number(dataset['message']);
}

function focusedRow(id: number): HTMLElement | undefined {
  return rows().find((row) => idOf(row) === id && row.contains(document.activeElement));
}

function focus(row: HTMLElement | undefined): void {
  row?.focus({ preventScroll: true });
}
