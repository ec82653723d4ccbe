import { signal } from '@preact/signals';
import { conversationIn, type Narrow } from '../../messages/index.ts';
import type { Model } from '../../model/index.ts';

const SHELF = 'roost-people';

/** Whether the list of people stands beside a conversation. Each browser keeps its own. */
export const isPeopleShown = signal(kept());
/** Whether it lies over the page, where there is no room beside it. */
export const isPeopleOver = signal(false);

/** As wide as the list needs beside the conversation; the same as in the style sheets. */
const BESIDE = '(min-width: 75rem)';

/** Whether a narrow is a conversation or a channel: elsewhere nobody in particular is. */
export function hasPeople(narrow: Narrow, { me, channels }: Model): boolean {
  const channel = narrow.find(({ operator }) => operator === 'channel')?.operand;
  const isThere = typeof channel === 'number' ? channels.table.get(channel) !== undefined : channel === undefined;
  const isOne = narrow.length === 1 && channel !== undefined;
  return me !== 0 && isThere && (isOne || conversationIn(narrow, me) !== undefined);
}

/** Shows or hides the people, beside the conversation or over it. */
export function togglePeople(): void {
  if (!matchMedia(BESIDE).matches) {
    isPeopleOver.value = !isPeopleOver.value;
    return;
  }
  isPeopleShown.value = !isPeopleShown.value;
  try {
    localStorage.setItem(SHELF, isPeopleShown.value ? 'shown' : 'hidden');
  } catch {
    // It holds until the page is left.
  }
}

function kept(): boolean {
  try {
    return localStorage.getItem(SHELF) !== 'hidden';
  } catch {
    return true;
  }
}
