import { useEffect } from 'preact/hooks';
import { useClient } from '../../client/index.ts';
import type { Message, Messages } from '../../messages/index.ts';
import { renderedText } from '../../rendered/index.ts';

/** Messages of one fetch. */
const AT_ONCE = 100;
/** Characters of a message that a row shows at most. */
const MOST = 160;

const wanted = new WeakMap<Messages, Set<number>>();

/** A message that a row shows something of; it is fetched, with those of the other rows in sight, where it is not known. */
export function useMessage(id: number | undefined): Message | undefined {
  const { messages } = useClient();
  const message = id === undefined ? undefined : messages.table.get(id);
  const isMissing = id !== undefined && message === undefined;
  useEffect(() => {
    if (isMissing) want(messages, id);
  }, [messages, id, isMissing]);
  return message;
}

/** All that are wanted in one moment are fetched at once. Rows stand without their last words where these cannot be had. */
function want(messages: Messages, id: number): void {
  const waiting = wanted.get(messages);
  if (waiting) return void waiting.add(id);
  const first = new Set([id]);
  wanted.set(messages, first);
  queueMicrotask(() => {
    wanted.delete(messages);
    const ids = [...first];
    for (let from = 0; from < ids.length; from += AT_ONCE)
      void messages.fetch(ids.slice(from, from + AT_ONCE)).catch(() => undefined);
  });
}

/** The beginning of a message in one line, after who said it where that is not clear. */
export function lastWords(message: Message, sender?: string): string {
  const words = renderedText(message.content).replaceAll(/\s+/g, ' ').trim().slice(0, MOST);
  return sender === undefined ? words : `${sender}: ${words}`;
}
