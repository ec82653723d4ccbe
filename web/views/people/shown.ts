import { signal } from '@preact/signals';
import { channelIn, conversationIn, type Narrow } from '../../messages/index.ts';
import type { Model } from '../../model/index.ts';

const STORAGE_KEY = 'roost-people';

/** Whether the list of people is shown beside a conversation; stored by each browser. */
export const isPeopleShown = signal(kept());
/** Whether it is shown over the page, where there is no room beside it. */
export const isPeopleOver = signal(false);

/** Media query for enough width beside the conversation; the same as in the style sheets. */
const BESIDE = '(min-width: 75rem)';

/** Whether a narrow is a conversation or a channel, which have people; other narrows do not. */
export function hasPeople(narrow: Narrow, { me, channels }: Model): boolean {
  const channel = channelIn(narrow);
  const isThere = typeof channel === 'number' ? channels.table.get(channel) !== undefined : channel === undefined;
  const isOne = narrow.length === 1 && channel !== undefined;
  return me !== 0 && isThere && (isOne || conversationIn(narrow, me) !== undefined);
}

/** Shows or hides the list of people, beside the conversation or over it. */
export function togglePeople(): void {
  if (!matchMedia(BESIDE).matches) {
    isPeopleOver.value = !isPeopleOver.value;
    return;
  }
  isPeopleShown.value = !isPeopleShown.value;
  try {
    localStorage.setItem(STORAGE_KEY, isPeopleShown.value ? 'shown' : 'hidden');
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}

function kept(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'hidden';
  } catch {
    return true;
  }
}
