import { findChannel } from '#features/channels';
import {
  accessMessages,
  type MessageRow,
  messageAddress,
  participantsOfMessage,
  quoted,
  silentMention,
} from '#features/messages';
import { findUser } from '#features/users';
import type { ActorReadTx, RealmRefReadTx } from '#kernel/auth';
import type { MessageId } from '#kernel/ids';
import type { ReadContext } from '#kernel/context';
import { truncate } from '#kernel/text';

/** Most code points of the message that a reminder repeats, so that a note finds room behind it. */
const MAX_QUOTE = 8_000;

/** The text of a reminder, from what its owner may read today; undefined when that is not the message. */
export async function reminderText(
  tx: ActorReadTx,
  context: ReadContext,
  messageId: MessageId,
  note: string,
): Promise<string | undefined> {
  const [message] = await accessMessages(tx, [messageId]);
  if (!message) return undefined;
  const sender = await findUser(tx, message.sender_id);
  const author = sender && !tx.actor.viewer.hidden?.has(sender.id) ? silentMention(sender) : 'somebody';
  const link = `[message](${await addressOf(tx, context, message)})`;
  const quote = quoted(truncate(message.content, MAX_QUOTE, '\n[message truncated]'));
  return withNote(`You asked to be reminded of this ${link} by ${author}:\n\n${quote}`, note);
}

/** The text of a reminder of a message that its owner can no longer read. */
export const goneText = (note: string): string =>
  withNote('You asked to be reminded of a message that is no longer there for you.', note);

const withNote = (text: string, note: string): string => (note === '' ? text : `${text}\n\nNote:\n\n${quoted(note)}`);

async function addressOf(tx: RealmRefReadTx, context: ReadContext, message: MessageRow): Promise<string> {
  const channel = message.channel_id === null ? undefined : await findChannel(tx, message.channel_id);
  const spot = channel ? { channel, topic: message.topic } : { people: await participantsOfMessage(tx, message) };
  return messageAddress(context, tx.realm, spot, message.id);
}
