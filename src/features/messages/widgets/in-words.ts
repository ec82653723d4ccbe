import type { RealmReadTx } from '#kernel/store';
import { type MessageRow, partsOfAuthors } from '../core/index.ts';
import { widgetTitle, widgetWords } from './rules.ts';

/**
 * Returns what a message says where it is quoted: what a poll or a to-do list is about instead of the command that made
 * it, with the lines that follow.
 */
export async function contentInWords(
  tx: RealmReadTx,
  { id, sender_id, content }: Pick<MessageRow, 'id' | 'sender_id' | 'content'>,
): Promise<string> {
  // Only commands make widgets with a title, so most messages need no query.
  if (!content.startsWith('/')) return content;
  const widget = widgetTitle((await partsOfAuthors(tx, [id])).get(id) ?? [], sender_id);
  return widget ? [widgetWords(widget), ...content.split('\n').slice(1)].join('\n') : content;
}
