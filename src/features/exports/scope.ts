import { settingsOf } from '#features/user-settings';
import type { UserRow } from '#features/users';
import type { RealmId, UserId } from '#kernel/ids';
import { allRowsOf, type RealmReadTx, type WholeRow } from '#kernel/store';
import { type Recipients, recipientsOf } from './recipients.ts';

/** What an export holds. See protocol/organizations#exports. */
export type ExportType = 'public' | 'consenting' | 'full';

/** A subscription period: the user received the messages after `after_message_id` and up to `until_message_id`. */
export type SubscriptionPeriod = WholeRow<'subscription_period'>;

/** What an export contains. It is read first; the tables depend on it. */
export interface Scope {
  readonly type: ExportType;
  readonly realmId: RealmId;
  readonly users: readonly WholeRow<'user'>[];
  readonly channels: readonly WholeRow<'channel'>[];
  /** The people of each direct conversation in the export. */
  readonly conversations: ReadonlyMap<number, readonly UserId[]>;
  readonly periods: ReadonlyMap<number, readonly SubscriptionPeriod[]>;
  readonly recipients: Recipients;
  /** Whether the export contains a user's private data. */
  readonly hasPrivate: (userId: number) => boolean;
  readonly hasChannel: (channelId: number) => boolean;
  readonly hasMessage: (message: Pick<WholeRow<'message'>, 'id' | 'channel_id' | 'recipient_id'>) => boolean;
}

/** Recipients of the channels of an export, by the channels' IDs. */
export function placesOf({ channels }: Scope): ReadonlyMap<number, number> {
  return new Map(channels.map((row) => [row.id, row.recipient_id]));
}

/** Reads which people, channels and conversations an export contains. */
export async function readScope(tx: RealmReadTx, type: ExportType): Promise<Scope> {
  const users = await allRowsOf(tx, 'user');
  const byId = new Map<number, UserRow>(users.map((user) => [user.id, user]));
  const consenting = new Set<number>(users.filter((user) => isConsenting(user, byId)).map(({ id }) => id));
  const hasPrivate = (userId: number) => type === 'full' || (type === 'consenting' && consenting.has(userId));
  const periods = groupedBy(await allRowsOf(tx, 'subscription_period'), (row) => row.channel_id);
  const wasThere = (channelId: number, messageId: number) =>
    (periods.get(channelId) ?? []).some((period) => hasPrivate(period.user_id) && holds(period, messageId));
  const isOpen = (channel: WholeRow<'channel'>) =>
    !channel.invite_only ||
    (channel.history_public_to_subscribers && hasSubscriber(periods.get(channel.id), hasPrivate));
  const channels = (await allRowsOf(tx, 'channel')).filter(
    (channel) =>
      type === 'full' ||
      isOpen(channel) ||
      (periods.get(channel.id) ?? []).some((period) => hasPrivate(period.user_id)),
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

/** Whether a message is within a subscription period. */
export function holds(period: SubscriptionPeriod, messageId: number): boolean {
  return (
    period.after_message_id < messageId && (period.until_message_id === null || messageId <= period.until_message_id)
  );
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

/** A bot consents if its owner does. */
function isConsenting(user: UserRow, users: ReadonlyMap<number, UserRow>): boolean {
  if (settingsOf(user).allow_private_data_export) return true;
  const owner = user.is_bot ? users.get(user.bot_owner_id ?? 0) : undefined;
  return owner !== undefined && settingsOf(owner).allow_private_data_export;
}

/** Whether somebody who consents is subscribed now. */
function hasSubscriber(
  periods: readonly SubscriptionPeriod[] | undefined,
  hasPrivate: (userId: number) => boolean,
): boolean {
  return (periods ?? []).some((period) => period.to_event_id === null && hasPrivate(period.user_id));
}

async function readConversations(
  tx: RealmReadTx,
  hasPrivate: (userId: number) => boolean,
): Promise<ReadonlyMap<number, readonly UserId[]>> {
  const rows = groupedBy(await allRowsOf(tx, 'direct_participant'), (row) => row.recipient_id);
  const all = [...rows].map(([id, own]) => [id, own.map((row) => row.user_id).toSorted((a, b) => a - b)] as const);
  return new Map(all.filter(([, people]) => people.some(hasPrivate)));
}
