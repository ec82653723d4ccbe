import { effect, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Client } from '../../client/index.ts';
import type { MessageWindow } from '../../messages/index.ts';
import { keyOf } from '../../model/index.ts';

interface Change {
  /** ID of the first message below the line so far. */
  readonly line: number | undefined;
  /** IDs of the unread messages before and after the change, ascending. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** ID of the newest message before the change. */
  readonly newest: number;
  /** Whether somebody looks at the window. */
  readonly isLookedAt: boolean;
}

/**
 * Returns where the unread line is after a change of what is unread. Reading moves nothing. The line is set anew above
 * messages that were marked as unread, and above those that come while nobody looks.
 */
export function movedLine({ line, before, after, newest, isLookedAt }: Change): number | undefined {
  const known = new Set(before);
  const first = after.find((id) => !known.has(id));
  if (first === undefined) return line;
  if (first <= newest) return after[0];
  if (isLookedAt) return line;
  return before.length === 0 || line === undefined ? first : line;
}

/** Returns the ID of the message below the unread line, and a function that removes the line. */
export function useUnreadLine(
  { model }: Client,
  window: MessageWindow,
  opened: number | undefined,
): readonly [number | undefined, () => void] {
  const line = useMemo(() => signal(opened), [window, opened]);
  useEffect(() => {
    const conversation = window.conversation(model.me);
    if (!conversation) return undefined;
    const key = keyOf(conversation);
    let before: readonly number[] | undefined;
    let newest = 0;
    return effect(() => {
      const after = model.unread.idsIn(key);
      const isLookedAt = document.hasFocus();
      if (before) line.value = movedLine({ line: line.peek(), before, after, newest, isLookedAt });
      before = after;
      newest = Math.max(newest, window.ids.peek().at(-1) ?? 0, after.at(-1) ?? 0);
    });
  }, [window, line]);
  return [line.value, () => (line.value = undefined)];
}
