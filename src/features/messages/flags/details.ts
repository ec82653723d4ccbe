import type { ActorReadTx } from '#kernel/auth';
import { participantsOf } from '#features/recipients';
import { conversationOf, type MessageHead } from '../core/index.ts';
import { flagsOfReader, mutingOf } from '../reading/index.ts';
import type { UnreadDetail } from './events.ts';

/**
 * Places of messages that became unread, by message ID, so that clients can count without fetching. See
 * protocol/events#update_message_flags.
 */
export async function unreadDetails(
  tx: ActorReadTx,
  rows: readonly MessageHead[],
): Promise<Record<string, UnreadDetail>> {
  const flags = await flagsOfReader(tx, rows);
  const direct = rows.filter((row) => row.channel_id === null).map((row) => row.recipient_id);
  const conversations = await conversationOf(tx, [...new Set(direct)]);
  const isMuted = await mutingOf(tx);
  const details = rows.map((row): [string, UnreadDetail] => {
    const isMentioned = flags.get(row.id)?.some((flag) => MENTIONS.has(flag)) === true;
    const mark = isMentioned ? { mentioned: true as const } : {};
    if (row.channel_id === null) {
      const people = participantsOf({ participants_key: conversations.get(row.recipient_id) ?? '' }) ?? [];
      return [String(row.id), { type: 'private', ...mark, user_ids: people.filter((id) => id !== tx.actor.userId) }];
    }
    const { channel_id, topic } = row;
    const place = { stream_id: channel_id, topic, unmuted_stream_msg: !isMuted(row) };
    return [String(row.id), { type: 'stream', ...mark, ...place }];
  });
  return Object.fromEntries(details);
}

const MENTIONS = new Set(['mentioned', 'wildcard_mentioned']);
