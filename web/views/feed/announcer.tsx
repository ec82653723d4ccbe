import { effect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';
import type { MessageWindow } from '../../messages/index.ts';
import { keyOf } from '../../model/index.ts';
import { t } from '../../words/index.ts';
import { messagePreview } from '../lists/message-preview.ts';
import { faceOf } from '../shown.ts';

/** Milliseconds between two announcements. */
const REST_MS = 5000;
/** Milliseconds for which new messages are gathered into one announcement. */
const GATHER_MS = 200;

/** Tells screen readers what others write in the open conversation, in one sentence at a time. */
export function Announcer({ window }: { readonly window: MessageWindow }) {
  const client = useClient();
  const [said, say] = useState('');
  useEffect(() => {
    const conversation = window.conversation(client.model.me);
    if (!conversation) return undefined;
    const key = keyOf(conversation);
    const stop = new AbortController();
    const opened = client.clock.now() / 1000 - 1;
    const told = new Set(client.model.unread.idsIn(key));
    let waiting: number[] = [];
    let isResting = false;
    const isNew = (id: number) => (client.messages.table.peek(id)?.timestamp ?? 0) > opened;
    const speak = async () => {
      if (isResting || waiting.length === 0) return;
      isResting = true;
      // Messages that arrive together are announced together, and their contents are loaded by the end of the wait.
      await client.clock.sleep(GATHER_MS, stop.signal);
      const ids = waiting.filter(isNew);
      waiting = [];
      if (ids.length > 0) {
        say(sentence(client, ids));
        await client.clock.sleep(REST_MS, stop.signal);
      }
      isResting = false;
      if (!stop.signal.aborted) void speak();
    };
    const end = effect(() => {
      const fresh = client.model.unread.idsIn(key).filter((id) => !told.has(id));
      for (const id of fresh) told.add(id);
      waiting.push(...fresh);
      void speak();
    });
    return () => {
      end();
      stop.abort();
    };
  }, [client, window]);
  return (
    <p class="sr" role="status">
      {said}
    </p>
  );
}

function sentence(client: Client, ids: readonly number[]): string {
  const [only] = ids.length === 1 ? ids : [];
  const message = only === undefined ? undefined : client.messages.table.peek(only);
  if (!message) return t('feed.newestCount', { count: ids.length });
  return messagePreview(client, message, faceOf(client, message.sender_id).name);
}
