import { settingsOf } from '#features/user-settings';
import type { UserRow } from '#features/users';
import type { RealmId, UserId } from '#kernel/ids';
import { allRowsOf, type RealmReadTx, type WholeRow } from '#kernel/store';
import { type Recipients, recipientsOf } from './recipients.ts';

/** What an export holds. See protocol/organizations#exports. */
export type ExportType = 'public' | 'consenting' | 'full';

/** Somebody was in a channel: messages after the one and up to the other reached them. */
export type Stay = WholeRow<'subscription_period'>;

/** What is read first, and what else depends on it. */
export interface Scope {
  readonly type: ExportType;
  readonly realmId: RealmId;
  readonly users: readonly WholeRow<'user'>[];
  readonly channels: readonly WholeRow<'channel'>[];
  /** The people of each direct conversation that is in it. */
  readonly conversations: ReadonlyMap<number, readonly UserId[]>;
  readonly periods: ReadonlyMap<number, readonly Stay[]>;
  readonly recipients: Recipients;
  /** Whether what is private to somebody is in it. */
  readonly hasPrivate: (userId: number) => boolean;
  readonly hasChannel: (channelId: number) => boolean;
  readonly hasMessage: (message: Pick<WholeRow<'message'>, 'id' | 'channel_id' | 'recipient_id'>) => boolean;
}

/** Reads who and what an export is about. */
export async function readScope(tx: RealmReadTx, type: ExportType): Promise<Scope> {
  const users = await allRowsOf(tx, 'user');
  const consenting = new Set<number>(users.filter((user) => isConsenting(user, users)).map(({ id }) => id));
  const hasPrivate = (userId: number) => type === 'full' || (type === 'consenting' && consenting.has(userId));
  const periods = groupedBy(await allRowsOf(tx, 'subscription_period'), (row) => row.channel_id);
  const wasThere = (channelId: number, messageId: number) =>
    (periods.get(channelId) ?? []).some((stay) => hasPrivate(stay.user_id) && holds(stay, messageId));
  const isOpen = (channel: WholeRow<'channel'>) =>
    !channel.invite_only ||
    (channel.history_public_to_subscribers && hasSubscriber(periods.get(channel.id), hasPrivate));
  const channels = (await allRowsOf(tx, 'channel')).filter(
    (channel) =>
      type === 'full' || isOpen(channel) || (periods.get(channel.id) ?? []).some((stay) => hasPrivate(stay.user_id)),
  );
  const known = new Map<number, WholeRow<'channel'>>(channels.map((channel) => [channel.id, channel]));
  const conversations = await readConversations(tx, hasPrivate);
  return {
    type,
    realmId: tx.realmId,
    users,
    channels,
    conversations,
    periods,
    recipients: recipientsOf({ users, channels, conversations }),
    hasPrivate,
    hasChannel: (channelId) => known.has(channelId),
    hasMessage: ({ id, channel_id, recipient_id }) => {
      if (channel_id === null) return conversations.has(recipient_id);
      const channel = known.get(channel_id);
      if (channel === undefined) return false;
      return type === 'full' || isOpen(channel) || wasThere(channel_id, id);
    },
  };
}

/** Whether a stay in a channel brought somebody a message. */
export function holds(stay: Stay, messageId: number): boolean {
  return stay.after_message_id < messageId && (stay.until_message_id === null || messageId <= stay.until_message_id);
}

export function groupedBy<T>(rows: readonly T[], keyOf: (row: T) => number): Map<number, T[]> {
  const found = new Map<number, T[]>();
  for (const row of rows) {
    const known = found.get(keyOf(row));
    if (known) known.push(row);
    else found.set(keyOf(row), [row]);
  }
  return found;
}

/** A bot consents with its owner. */
function isConsenting(user: UserRow, users: readonly UserRow[]): boolean {
  if (settingsOf(user).allow_private_data_export) return true;
  const owner = user.is_bot ? users.find(({ id }) => id === user.bot_owner_id) : undefined;
  return owner !== undefined && settingsOf(owner).allow_private_data_export;
}

/** Whether somebody who consents is subscribed now. */
function hasSubscriber(stays: readonly Stay[] | undefined, hasPrivate: (userId: number) => boolean): boolean {
  return (stays ?? []).some((stay) => stay.to_event_id === null && hasPrivate(stay.user_id));
}

async function readConversations(
  tx: RealmReadTx,
  hasPrivate: (userId: number) => boolean,
): Promise<ReadonlyMap<number, readonly UserId[]>> {
  const rows = groupedBy(await allRowsOf(tx, 'direct_participant'), (row) => row.recipient_id);
  const all = [...rows].map(([id, own]) => [id, own.map((row) => row.user_id).toSorted((a, b) => a - b)] as const);
  return new Map(all.filter(([, people]) => people.some(hasPrivate)));
}
