import { type MessageRow, partsOfAuthors, widgetTitle, widgetWords } from '#features/messages';
import type { RealmReadTx } from '#kernel/store';
import { toPlainText } from './plain-text.ts';

/** The command at the beginning of a message about its sender. */
const ME = '/me';

/**
 * Returns what messages say as plain text, for mails and notifications: what a poll asks instead of the command that
 * made it, and what the sender does without the `/me` before it.
 */
export async function readWords(
  tx: RealmReadTx,
  messages: readonly MessageRow[],
): Promise<(message: MessageRow) => string> {
  // Only commands make widgets with a title, so most messages need no query.
  const commands = messages.filter(({ content }) => content.startsWith('/'));
  const parts = await partsOfAuthors(
    tx,
    commands.map(({ id }) => id),
  );
  return (message) => {
    const widget = widgetTitle(parts.get(message.id) ?? [], message.sender_id);
    if (widget) return widgetWords(widget);
    const text = toPlainText(message.rendered_content);
    return message.is_me_message && text.startsWith(ME) ? text.slice(ME.length).trim() : text;
  };
}
