import type { MessageHead } from '#features/messages';
import type { DeviceRow, TokenRow } from '#features/push-devices';
import { isWithKey } from '#kernel/auth';
import { asId, type MessageId, type UserId } from '#kernel/ids';
import { inChunks, type ReadTx, type RealmReadTx, type RealmWriteTx, type WriteTx } from '#kernel/store';

/** A page of devices by ID, after one ID. */
export interface DevicePage {
  readonly after: number;
  readonly limit: number;
  /** Only these devices. */
  readonly only?: readonly number[] | undefined;
}

/** Lists the devices of active users that push notifications can reach. */
export function devicesOf(tx: RealmReadTx, ids: readonly UserId[], page?: DevicePage): Promise<readonly DeviceRow[]> {
  const all = tx.db
    .selectFrom('push_device')
    .innerJoin('user', 'user.id', 'push_device.user_id')
    .selectAll('push_device')
    .where('push_device.realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('push_device.user_id', ids))
    .where('push_device.push_token_id', 'is not', null)
    .where('user.is_active', '=', true)
    .where(isWithKey(tx, 'push_device.device_key_id'))
    .orderBy('push_device.id');
  const only = page?.only?.map((id) => asId<DeviceRow['id']>(id));
  const left = only ? all.where(tx.dialect.anyOf('push_device.id', only)) : all;
  return (
    page ? left.where('push_device.id', '>', asId<DeviceRow['id']>(page.after)).limit(page.limit) : all
  ).execute();
}

/** Lists the tokens of active users' older apps, which have no keys. */
export function tokensOf(tx: RealmReadTx, ids: readonly UserId[], page?: DevicePage): Promise<readonly TokenRow[]> {
  const all = tx.db
    .selectFrom('push_token')
    .innerJoin('user', 'user.id', 'push_token.user_id')
    .selectAll('push_token')
    .where('push_token.realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('push_token.user_id', ids))
    .where('user.is_active', '=', true)
    .where(isWithKey(tx, 'push_token.device_key_id'))
    .orderBy('push_token.id');
  return (page ? all.where('push_token.id', '>', page.after).limit(page.limit) : all).execute();
}

/** Returns which of the users are still subscribed to a channel. */
export async function subscribedAmong(
  tx: ReadTx,
  { realm_id, channel_id }: MessageHead,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (channel_id === null) return new Set(ids);
  const rows = await tx.db
    .selectFrom('subscription')
    .select('user_id')
    .where('realm_id', '=', realm_id)
    .where('channel_id', '=', channel_id)
    .where('is_subscribed', '=', true)
    .where(tx.dialect.anyOf('user_id', ids))
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/**
 * Records that a message is about to be shown on these users' phones, and returns the users for whom this was not
 * recorded before.
 */
export async function insertPushed(
  tx: WriteTx,
  { realm_id, id }: MessageHead,
  userIds: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const added = new Set<UserId>();
  for (const chunk of inChunks(userIds, 500)) {
    const rows = await tx.db
      .insertInto('pushed_message')
      .values(chunk.map((user_id) => ({ realm_id, user_id, message_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .execute();
    for (const { user_id } of rows) added.add(user_id);
  }
  return added;
}

/** Returns which of the users' phones are recorded as showing a message. */
export async function pushedAmong(
  tx: ReadTx,
  { realm_id, id }: MessageHead,
  userIds: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const rows = await tx.db
    .selectFrom('pushed_message')
    .select('user_id')
    .where('realm_id', '=', realm_id)
    .where('message_id', '=', id)
    .where(tx.dialect.anyOf('user_id', userIds))
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** Deletes the records of phones that show the messages, for some users or for all, and returns them. */
export function takePushed(
  tx: RealmWriteTx,
  messageIds: readonly MessageId[],
  userIds?: readonly UserId[],
): Promise<readonly { readonly user_id: UserId; readonly message_id: MessageId }[]> {
  const all = tx.db
    .deleteFrom('pushed_message')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('message_id', messageIds));
  const own = userIds === undefined ? all : all.where(tx.dialect.anyOf('user_id', userIds));
  return own.returning(['user_id', 'message_id']).execute();
}

/** A record of a phone that shows a message, with the time at which the message was sent; null if it was deleted. */
interface PushedRow {
  readonly message_id: MessageId;
  readonly user_id: UserId;
  readonly sent_at: number | null;
}

/** Lists the oldest records of all organizations, in the order of the primary key. */
export function listOldestPushed(tx: ReadTx, limit: number): Promise<readonly PushedRow[]> {
  return tx.db
    .selectFrom('pushed_message')
    .leftJoin('message', 'message.id', 'pushed_message.message_id')
    .select(['pushed_message.message_id', 'pushed_message.user_id', 'message.sent_at'])
    .orderBy('pushed_message.message_id')
    .orderBy('pushed_message.user_id')
    .limit(limit)
    .execute();
}

/** Deletes the oldest records of all organizations up to and including this one. */
export async function deletePushedUpTo(
  tx: WriteTx,
  { message_id, user_id }: Omit<PushedRow, 'sent_at'>,
): Promise<void> {
  await tx.db
    .deleteFrom('pushed_message')
    .where((where) => where(where.refTuple('message_id', 'user_id'), '<=', where.tuple(message_id, user_id)))
    .execute();
}
