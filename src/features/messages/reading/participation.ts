import type { ActorWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { insertFlags } from './flags/queries.ts';
import { type MessageRow, receivedAmong, topicJoined } from '../core/index.ts';
import { setRead } from './read-state.ts';

/**
 * Notes that somebody took part in a message's conversation: adds the message to their history and sends a signal about
 * it.
 */
export async function noteParticipation(context: Context, tx: ActorWriteTx, message: MessageRow): Promise<void> {
  await keepInHistory(tx, message);
  if (message.channel_id !== null && !tx.actor.isBot) await topicJoined.send(tx, { message }, context);
}

/** Adds a message that the actor never received to their history, as read. See protocol/reactions#reactions. */
async function keepInHistory(tx: ActorWriteTx, { id }: MessageRow): Promise<void> {
  const received = await receivedAmong(tx, [id]);
  if (received.has(id)) return;
  await insertFlags(tx, [{ user_id: tx.actor.userId, message_id: id, flag: 'historical' }]);
  await setRead(tx, [id]);
}
