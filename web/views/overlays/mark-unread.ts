import type { Client } from '../../client/index.ts';
import { inConversation } from '../../messages/index.ts';
import type { Conversation } from '../../model/index.ts';
import { t } from '../../words/managing.ts';
import { setRead } from '../mark-read.ts';
import { orNotice } from '../or-notice.ts';
import { titleOf } from '../shown.ts';
import { newestIn } from '../topic/resolve.ts';
import { offerUndo } from '../undoing.ts';

/** Marks the newest message of a conversation unread, so that it waits in the inbox again; offers to undo it. */
export async function markUnread(client: Client, conversation: Conversation): Promise<void> {
  let newest: Awaited<ReturnType<typeof newestIn>>;
  const mark = async () => {
    newest = await newestIn(client, conversation);
    if (newest) await client.reading.unreadFrom(inConversation(conversation), newest.id);
  };
  if (!(await orNotice(client, mark())) || !newest) return;
  const { id } = newest;
  const text = t('topicMenu.isUnread', { name: titleOf(client, conversation) });
  offerUndo(client, text, () => setRead(client, [id], 'add'));
}
