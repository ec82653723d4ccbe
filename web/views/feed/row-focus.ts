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

/** Moves the focus of a message that is removed to the next one, or to the last. */
export function useFocusOnNextRow(id: number, isGone: () => boolean): void {
  useLayoutEffect(
    () => () => {
      const row = isGone() ? focusedRow(id) : undefined;
      if (!row) return;
      const others = rows().filter((one) => one !== row);
      focus(others.find((one) => idOf(one) > id) ?? others.at(-1));
    },
    [id],
  );
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
