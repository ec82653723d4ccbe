import { useEffect } from 'preact/hooks';
import { type Client, messageWords, useClient } from '../../client/index.ts';
import type { Message, Messages } from '../../messages/index.ts';
import { isolated } from '../../words/index.ts';

/** Most messages of one fetch. */
const AT_ONCE = 100;
/** Most characters of a message in a row. */
const MOST = 160;

const wanted = new WeakMap<Messages, Set<number>>();

/** Returns the message of a row; an unknown one is fetched together with those of the other visible rows. */
export function useMessage(id: number | undefined): Message | undefined {
  const { messages } = useClient();
  const message = id === undefined ? undefined : messages.table.get(id);
  const isMissing = id !== undefined && message === undefined;
  useEffect(() => {
    if (isMissing) want(messages, id);
  }, [messages, id, isMissing]);
  return message;
}

/** Collects the messages wanted at one time into one fetch. Rows stay without a preview where it fails. */
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

/** The beginning of a message in one line, after its sender where that is not clear. */
export function messagePreview({ model }: Client, message: Message, sender?: string): string {
  const words = messageWords(model, message).replaceAll(/\s+/g, ' ').slice(0, MOST);
  if (message.is_me_message) return `${isolated(sender ?? message.sender_full_name)} ${isolated(words)}`;
  return sender === undefined ? words : `${isolated(sender)}: ${isolated(words)}`;
}
