import type { Client } from '../client/index.ts';
import { told } from './told.ts';

/** Most messages of one call. */
const MAX_AT_ONCE = 5000;

/** Marks messages read that need not have been looked at. */
export async function markRead(client: Client, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += MAX_AT_ONCE) {
    const messages = ids.slice(from, from + MAX_AT_ONCE);
    const isDone = await told(
      client,
      client.api.call('POST', '/messages/flags', { messages, op: 'add', flag: 'read' }),
    );
    if (!isDone) return;
  }
}
