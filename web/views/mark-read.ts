import type { Client } from '../client/index.ts';
import { t } from '../words/index.ts';
import { noticeFailure } from './notice-failure.ts';
import { offerUndo } from './undoing.ts';

/** Most messages of one call. */
const MAX_AT_ONCE = 5000;

/** Marks messages read, seen or not, and offers to undo it. */
export async function markRead(client: Client, ids: readonly number[]): Promise<void> {
  if (!(await noticeFailure(client, setRead(client, ids, 'add')))) return;
  offerUndo(client, t('undo.read', { count: ids.length }), () => setRead(client, ids, 'remove'));
}

/** Marks messages read or unread, in as many calls as are needed. */
export async function setRead({ api }: Client, ids: readonly number[], op: 'add' | 'remove'): Promise<void> {
  for (let from = 0; from < ids.length; from += MAX_AT_ONCE)
    await api.call('POST', '/messages/flags', { messages: ids.slice(from, from + MAX_AT_ONCE), op, flag: 'read' });
}
