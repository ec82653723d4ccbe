import {
  type ChannelAccess,
  type ChannelRow,
  findChannels,
  hasSharedHistory,
  listSubscriptionsOf,
  mayRead,
} from '#features/channels';
import { groupsOf } from '#features/groups';
import type { ReadableMessages } from '#features/uploads';
import { type CallerReadTx, hasActor } from '#kernel/auth';
import type { ChannelId, GroupId, MessageId } from '#kernel/ids';
import { InvalidMessage } from './errors.ts';
import { findHeads, findMessages, receivedAmong } from './queries.ts';
import type { MessageHead, MessageRow } from './tables.ts';

/** Returns a message that the actor may read; all others answer "Invalid message(s)". A null actor is a spectator. */
export async function accessMessage(tx: CallerReadTx, id: MessageId): Promise<MessageRow> {
  const [row] = await accessMessages(tx, [id]);
  if (!row) throw InvalidMessage();
  return row;
}

/**
 * Returns the messages among `ids` that the actor may read, ascending, with respect to protected history. See
 * protocol/fetching#visibility.
 */
export async function accessMessages(tx: CallerReadTx, ids: readonly MessageId[]): Promise<readonly MessageRow[]> {
  return openAmong(tx, await findMessages(tx, ids));
}

/** `accessMessages` without the texts, for large numbers. */
export async function accessHeads(tx: CallerReadTx, ids: readonly MessageId[]): Promise<readonly MessageHead[]> {
  return openAmong(tx, await findHeads(tx, ids));
}

async function openAmong<T extends Pick<MessageRow, 'id' | 'channel_id'>>(
  tx: CallerReadTx,
  rows: readonly T[],
): Promise<readonly T[]> {
  const { actor } = tx;
  const channels = await findChannels(tx, [...new Set(rows.flatMap((row) => row.channel_id ?? []))]);
  const accessByChannel = await accessByChannelIn(tx, [...channels.values()]);
  const maybe = rows.filter((row) => {
    if (row.channel_id === null) return actor !== null;
    const channel = channels.get(row.channel_id);
    return channel !== undefined && mayRead(channel, accessFor(accessByChannel, row.channel_id));
  });
  const isOpen = (row: T) => {
    const channel = row.channel_id === null ? undefined : channels.get(row.channel_id);
    return channel !== undefined && (hasSharedHistory(channel) || channel.is_web_public);
  };
  const closed = maybe.filter((row) => !isOpen(row)).map((row) => row.id);
  const received = hasActor(tx) ? await receivedAmong(tx, closed) : new Set<MessageId>();
  return maybe.filter((row) => isOpen(row) || received.has(row.id));
}

/** A function that tells which messages the actor may read, for slices that do not know messages. */
export function readerOf(tx: CallerReadTx): ReadableMessages {
  return async (ids) => new Set((await accessHeads(tx, ids)).map((row) => row.id));
}

function accessFor(accessByChannel: ReadonlyMap<ChannelId, ChannelAccess>, id: ChannelId): ChannelAccess {
  const access = accessByChannel.get(id);
  if (!access) throw new Error('a channel was left out');
  return access;
}

const NO_GROUPS: ReadonlySet<GroupId> = new Set();

/** The actor's access to several channels, with at most two queries. Groups are read only for private channels. */
export async function accessByChannelIn(
  tx: CallerReadTx,
  channels: readonly ChannelRow[],
): Promise<ReadonlyMap<ChannelId, ChannelAccess>> {
  const { actor } = tx;
  if (!actor || channels.length === 0) {
    const outside = { role: actor?.role ?? null, isSubscribed: false, groups: NO_GROUPS };
    return new Map(channels.map((channel) => [channel.id, outside]));
  }
  const ids = channels.map((channel) => channel.id);
  const subscriptions = await listSubscriptionsOf(tx, [actor.userId], ids);
  const own = new Set(
    subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.channel_id),
  );
  const isOutside = (channel: ChannelRow) => channel.invite_only && !own.has(channel.id);
  const groups = channels.some(isOutside) ? await groupsOf(tx, actor) : NO_GROUPS;
  return new Map(ids.map((id) => [id, { role: actor.role, isSubscribed: own.has(id), groups }]));
}
