import type { RealmRefWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { ascending, inTurn } from '#kernel/lists';
import type { RealmWriteTx } from '#kernel/store';
import type { ChannelRow } from '../core/index.ts';
import type { peersRemoved } from '../events.ts';
import { knowersOfEach } from './audience.ts';
import { guestSubscribersOf } from './queries.ts';

type PeerEvent = (...args: Parameters<typeof peersRemoved>) => ReturnType<typeof peersRemoved>;

/** The users who joined or left a channel. */
interface PeerChange {
  readonly channel: ChannelRow;
  readonly userIds: readonly UserId[];
}

/**
 * Tells everybody else of changes among subscribers: one event for each channel; one for all public channels together
 * where a single user is concerned. See protocol/subscriptions#subscribing-effects.
 */
export async function tellPeers(tx: RealmRefWriteTx, event: PeerEvent, changes: readonly PeerChange[]): Promise<void> {
  const real = changes.filter((change) => change.userIds.length > 0);
  const users = new Set(real.flatMap((change) => change.userIds));
  const [userId, another] = users;
  const open = real.filter(({ channel }) => !channel.invite_only && !channel.is_web_public && !channel.is_archived);
  const together = userId !== undefined && another === undefined && open.length > 1 ? open : [];
  if (userId !== undefined && together.length > 0) await tellTogether(tx, event, together, userId);
  const apart = real.filter((change) => !together.includes(change));
  const knowers = inTurn(
    await knowersOfEach(
      tx,
      apart.map(({ channel }) => channel),
    ),
  );
  for (const { channel, userIds } of apart) {
    const user_ids = [...ascending(userIds)];
    // See protocol/events#audiences, PEERS.
    const audience = { ...knowers(), except: user_ids };
    const peers = { stream_ids: [channel.id], user_ids, ...(channel.is_archived && { in_archive: true }) };
    tx.emit(event(peers, { audience }));
  }
}

/** Non-guests know of every public channel; guests get events about the channels they are subscribed to. */
async function tellTogether(
  tx: RealmWriteTx,
  event: PeerEvent,
  changes: readonly PeerChange[],
  userId: UserId,
): Promise<void> {
  const stream_ids = [...ascending(changes.map(({ channel }) => channel.id))];
  const except = [userId];
  tx.emit(event({ stream_ids, user_ids: [userId] }, { audience: { members: true, except } }));
  const guests = await guestSubscribersOf(tx, stream_ids);
  for (const id of stream_ids) {
    const users: readonly UserId[] = guests.get(id) ?? [];
    if (users.length > 0) tx.emit(event({ stream_ids: [id], user_ids: [userId] }, { audience: { users, except } }));
  }
}
