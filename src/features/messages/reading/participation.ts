import type { ActorWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { insertFlags } from './flags/queries.ts';
import { type MessageRow, receivedAmong, topicJoined } from '../core/index.ts';
import { setRead } from './read-state.ts';

/** Notes that somebody took part in a message's conversation: it is in their history from now on, and they are told of. */
export async function noteParticipation(context: Context, tx: ActorWriteTx, message: MessageRow): Promise<void> {
  await keepInHistory(tx, message);
  if (message.channel_id !== null && !tx.actor.isBot) await topicJoined.send(context, tx, { message });
}

/** Somebody who never received the message has it from now on, as read. See protocol/reactions#reactions. */
async function keepInHistory(tx: ActorWriteTx, { id }: MessageRow): Promise<void> {
  const { actor } = tx;
  const received = await receivedAmong(tx, actor.userId, [id]);
  if (received.has(id)) return;
  await insertFlags(tx, [{ user_id: actor.userId, message_id: id, flag: 'historical' }]);
  await setRead(tx, actor.userId, [id]);
}
