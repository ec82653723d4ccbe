import { findChannels, hasSharedHistory } from '#features/channels';
import { participantsOf } from '#features/recipients';
import type { RealmRef } from '#kernel/auth';
import type { Audience } from '#kernel/events';
import type { RealmId, UserId } from '#kernel/ids';
import type { ReadTx } from '#kernel/store';
import { usersWithFlags } from './flags/queries.ts';
import { conversationOf } from './queries.ts';
import type { MessageRow } from './tables.ts';

/**
 * Everybody who holds messages of one conversation: participants; in a public channel its subscribers and whoever has
 * received one; in a private one its subscribers, where history is protected only those who received one.
 * Contract register 4.1, RCPT.
 */
export async function holdersOf(tx: ReadTx, realm: RealmRef, rows: readonly MessageRow[]): Promise<Audience> {
  const [first] = rows;
  if (!first) return {};
  if (first.channel_id === null) {
    return { users: await participantsOfMessage(tx, realm.id, first) };
  }
  const channel = (await findChannels(tx, realm.id, [first.channel_id])).get(first.channel_id);
  if (!channel) return {};
  const messages = rows.map((row) => Number(row.id)).toSorted((a, b) => a - b);
  if (!channel.invite_only) {
    const ids = rows.map((row) => row.id);
    const marked = await usersWithFlags(tx, realm.id, ['historical', 'delivered'], ids);
    return {
      users: [...new Set(marked.map((row) => row.user_id))],
      channel: { id: channel.id, messages, received: 'any' },
    };
  }
  if (hasSharedHistory(channel)) return { channel: { id: channel.id, private: true } };
  return { channel: { id: channel.id, private: true, messages, received: 'required' } };
}

/** Everybody in a direct message's conversation. */
export async function participantsOfMessage(
  tx: ReadTx,
  realmId: RealmId,
  { recipient_id }: Pick<MessageRow, 'recipient_id'>,
): Promise<readonly UserId[]> {
  const key = (await conversationOf(tx, realmId, [recipient_id])).get(recipient_id) ?? null;
  return participantsOf({ participants_key: key }) ?? [];
}
