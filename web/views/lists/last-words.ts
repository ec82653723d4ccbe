import { useEffect } from 'preact/hooks';
import { useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { renderedText } from '../../rendered/index.ts';

/** Messages of one fetch. */
const AT_ONCE = 100;
/** Characters of a message that a row shows at most. */
const MOST = 160;

/** The messages with these IDs, as far as they are known; those that are not are fetched. */
export function useMessages(ids: readonly number[]): ReadonlyMap<number, Message> {
  const { messages } = useClient();
  const known = new Map<number, Message>();
  for (const id of ids) {
    const message = messages.table.get(id);
    if (message) known.set(id, message);
  }
  const missing = ids.filter((id) => !known.has(id)).slice(0, AT_ONCE);
  const asked = missing.join(',');
  useEffect(() => {
    // Rows stand without their last words where these cannot be had.
    if (missing.length > 0) void messages.fetch(missing).catch(() => undefined);
  }, [asked]);
  return known;
}

/** The beginning of a message in one line, after who said it where that is not clear. */
export function lastWords(message: Message, sender?: string): string {
  const words = renderedText(message.content).replaceAll(/\s+/g, ' ').trim().slice(0, MOST);
  return sender === undefined ? words : `${sender}: ${words}`;
}
