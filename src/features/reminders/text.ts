import { accessMessages, addressOfMessage, contentInWords, quoted, silentMention } from '#features/messages';
import { findUser } from '#features/users';
import type { ActorReadTx } from '#kernel/auth';
import { truncate } from '#kernel/text';
import type { ReminderRow } from './tables.ts';

/** Most code points of the message that a reminder quotes, so that there is room for a note. */
const MAX_QUOTE = 8_000;

/** The text of a reminder, with what its owner may read now; undefined if they can no longer read the message. */
export async function reminderText(
  tx: ActorReadTx,
  { message_id, note }: Pick<ReminderRow, 'message_id' | 'note'>,
): Promise<string | undefined> {
  const [message] = await accessMessages(tx, [message_id]);
  if (!message) return undefined;
  const sender = await findUser(tx, message.sender_id);
  const author = sender && !tx.actor.viewer.hidden?.has(sender.id) ? silentMention(sender) : 'somebody';
  const link = `[message](${await addressOfMessage(tx, message)})`;
  const quote = quoted(truncate(await contentInWords(tx, message), MAX_QUOTE, '\n[message truncated]'));
  return withNote(`You asked to be reminded of this ${link} by ${author}:\n\n${quote}`, note);
}

/** What a reminder says of a message that its owner can no longer read. */
export const GONE = 'You asked to be reminded of a message that is no longer there for you.';

/** The text of a reminder of a message that its owner can no longer read. */
export const goneText = (note: string): string => withNote(GONE, note);

const withNote = (text: string, note: string): string => (note === '' ? text : `${text}\n\nNote:\n\n${quoted(note)}`);
