import { showNotice, useClient } from '../../client/index.ts';
import { type Conversation, keyOf } from '../../model/index.ts';
import { mayDelete } from '../feed/message-rights.ts';

/**
 * Returns a function that takes back the message just sent to a conversation; undefined when there is none, or the
 * viewer may not delete it.
 */
export function useTakeBack(conversation: Conversation): (() => true) | undefined {
  const client = useClient();
  const { takingBack, outbox, messages } = client;
  const key = keyOf(conversation);
  const last = takingBack.in(key);
  if (!last) return undefined;
  const { entry, messageId } = last;
  const message = messageId === undefined ? undefined : messages.table.get(messageId);
  const waits = outbox.in(key).some(({ localId, status }) => localId === entry.localId && status === 'waiting');
  if (!waits && !(message && mayDelete(client, message))) return undefined;
  return () => {
    void takingBack.take(entry).then((refusal) => refusal !== undefined && showNotice(client, refusal));
    return true;
  };
}
