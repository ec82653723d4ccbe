import { useEffect } from 'preact/hooks';
import { conversationHash } from '../../addresses/index.ts';
import { type Client, showNotice } from '../../client/index.ts';
import type { MessageWindow } from '../../messages/index.ts';
import { conversationOf } from '../../model/index.ts';
import { t } from '../../words/index.ts';

/**
 * Follows a link to a message of a conversation that it is not in: to where it was moved, or says that it is gone. The
 * conversation is shown in any case.
 */
export function useMissing(client: Client, window: MessageWindow, near: number | undefined): void {
  const isKnown = window.isKnown.value;
  useEffect(() => {
    // Not from the last render: the place of the link may be another one, which is not known yet.
    if (near === undefined || !window.isKnown.peek() || window.ids.peek().includes(near)) return;
    if (window.conversation(client.model.me) === undefined) return;
    let isLeft = false;
    void lookFor(client, near).then((isThere) => {
      if (!isLeft && isThere !== undefined) tell(client, near, isThere);
    });
    return () => {
      isLeft = true;
    };
  }, [client, window, near, isKnown]);
}

/** Returns whether there is such a message; undefined if the server does not answer. */
async function lookFor({ messages }: Client, id: number): Promise<boolean | undefined> {
  try {
    // Not whether it is known: the event that it was deleted may still be on its way.
    return (await messages.fetch([id])).includes(id);
  } catch {
    return undefined;
  }
}

function tell(client: Client, id: number, isThere: boolean): void {
  const message = isThere ? client.messages.table.peek(id) : undefined;
  if (message) location.replace(conversationHash(conversationOf(message), client.names, id));
  else showNotice(client, t('feed.messageGone'), false);
}
