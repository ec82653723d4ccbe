import { computed, type ReadonlySignal } from '@preact/signals';
import type { Client } from '../../client/index.ts';
import { type Model, Policy } from '../../model/index.ts';
import { newestOf } from '../../model/unread.ts';
import type { UnreadEntry } from './groups.ts';

const lists = new WeakMap<Model, ReadonlySignal<readonly UnreadEntry[]>>();

/** The unread conversations, recomputed when one of them changes, not at each key press: there may be ten thousand. */
export function unreadEntries({ model }: Client): readonly UnreadEntry[] {
  const known = lists.get(model);
  if (known) return known.value;
  const made = computed(() => entriesOf(model));
  lists.set(model, made);
  return made.value;
}

function entriesOf(model: Model): readonly UnreadEntry[] {
  const { policies, unread } = model;
  void policies.version.value;
  return unread.conversations.map(({ key, conversation, ids }) => ({
    key,
    conversation,
    unread: ids.size,
    newest: newestOf(ids),
    mentions: unread.peek(key).mentions,
    isMuted: model.isMuted(conversation, key),
    isFollowed: policies.peek(key) === Policy.followed,
  }));
}
