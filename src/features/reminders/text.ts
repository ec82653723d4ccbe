import { accessMessages, addressOfMessage, contentInWords, quoted, silentMention } from '#features/messages';
import { findUser } from '#features/users';
import type { ActorReadTx, RealmRef } from '#kernel/auth';
import { truncate } from '#kernel/text';
import type { ReminderRow } from './tables.ts';
import { wordsOf } from './words.ts';

/** Most code points of the message that a reminder quotes, so that there is room for a note. */
const MAX_QUOTE = 8_000;

/** The text of a reminder, with what its owner may read now; undefined if they can no longer read the message. */
export async function reminderText(
  tx: ActorReadTx,
  { message_id, note }: Pick<ReminderRow, 'message_id' | 'note'>,
): Promise<string | undefined> {
  const [message] = await accessMessages(tx, [message_id]);
  if (!message) return undefined;
  const words = wordsOf(tx.realm);
  const sender = await findUser(tx, message.sender_id);
  const author = sender && !tx.actor.viewer.hidden?.has(sender.id) ? silentMention(sender) : words.somebody;
  const about = words.reminder(await addressOfMessage(tx, message), author);
  const quote = quoted(truncate(await contentInWords(tx, message), MAX_QUOTE, words.truncated));
  return withNote(tx.realm, `${about}\n\n${quote}`, note);
}

/** The text of a reminder of a message that its owner can no longer read. */
export const goneText = (realm: RealmRef, note: string): string => withNote(realm, wordsOf(realm).gone, note);

function withNote(realm: RealmRef, text: string, note: string): string {
  return note === '' ? text : `${text}\n\n${wordsOf(realm).note}\n\n${quoted(note)}`;
}
