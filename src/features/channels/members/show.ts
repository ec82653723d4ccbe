import type { RealmRefWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { RealmWriteTx } from '#kernel/store';
import { channelCreated, channelDeleted, peersAdded } from '../events.ts';
import { subscribersOf } from './queries.ts';
import { type ChannelRow, readChannelValues, toWireChannel } from '../core/index.ts';

/** People who begin or cease to know of channels. */
interface Visibility {
  readonly channels: readonly ChannelRow[];
  readonly users: readonly UserId[];
}

/**
 * Tells people of channels they can see now, and who is subscribed there. See protocol/channels#update-events,
 * protocol/events#order.
 */
export async function showChannels(tx: RealmRefWriteTx, gains: readonly Visibility[]): Promise<void> {
  const channels = [...new Set(gains.flatMap((gain) => gain.channels))];
  if (channels.length === 0) return;
  const values = await readChannelValues(tx, channels);
  const ids = channels.map((channel) => channel.id);
  const subscribers = await subscribersOf(tx, ids);
  for (const gain of gains.filter(({ users }) => users.length > 0)) {
    const audience = { users: gain.users };
    // Clients add the subscribers of the events that follow to these counts.
    const streams = gain.channels.map((row) => ({ ...toWireChannel(row, tx.realm, values), subscriber_count: 0 }));
    if (streams.length > 0) tx.emit(channelCreated({ streams, for_unarchiving: false }, { audience }));
    for (const { id, is_archived } of gain.channels) {
      const user_ids = [...(subscribers.get(id) ?? [])];
      const peers = { stream_ids: [id], user_ids, ...(is_archived && { in_archive: true }) };
      if (user_ids.length > 0) tx.emit(peersAdded(peers, { audience }));
    }
  }
}

/** Tells people that they can see channels no more. See protocol/channels#update-events, protocol/events#order. */
export function hideChannels(tx: RealmWriteTx, { channels, users }: Visibility): void {
  if (channels.length === 0 || users.length === 0) return;
  const stream_ids = channels.map((channel) => channel.id);
  const streams = stream_ids.map((stream_id) => ({ stream_id }));
  tx.emit(channelDeleted({ stream_ids, streams, for_archiving: false }, { audience: { users } }));
}
