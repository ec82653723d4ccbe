import { record } from '#kernel/audit';
import type { ActorWriteTx } from '#kernel/auth';
import type { ChannelId, UserId } from '#kernel/ids';
import type { ChannelRow } from '../core/index.ts';

/** Somebody, and a channel that they are subscribed to or unsubscribed from. */
export interface Pair {
  readonly userId: UserId;
  readonly channel: ChannelRow;
}

/** Records in the audit log which other users somebody subscribed or unsubscribed: one entry for each channel. */
export function recordOthers(tx: ActorWriteTx, what: 'added' | 'removed', pairs: readonly Pair[]): void {
  const byChannel = new Map<ChannelId, { readonly channel: ChannelRow; readonly userIds: UserId[] }>();
  for (const { userId, channel } of pairs) {
    if (userId === tx.actor.userId) continue;
    const known = byChannel.get(channel.id) ?? { channel, userIds: [] };
    known.userIds.push(userId);
    byChannel.set(channel.id, known);
  }
  for (const { channel, userIds } of byChannel.values())
    record(tx, {
      action: 'channel.subscribers',
      target: { kind: 'channel', id: channel.id, name: channel.name },
      after: { [what]: userIds, count: userIds.length },
    });
}
