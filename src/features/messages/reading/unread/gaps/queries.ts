import type { MessageId, RealmId, RecipientId, UserId } from '#kernel/ids';
import { type Expression, type RawBuilder, type RealmReadTx, reference, sql, type SqlBool } from '#kernel/store';
import type { Window } from '../../../core/index.ts';

/** Higher than every message ID. */
export const END = sql.lit(9_007_199_254_740_991);

/** A range of IDs of a conversation that a user has received and not read; both ends count. */
interface Gap {
  readonly recipient_id: RecipientId;
  readonly lo: number;
  readonly hi: number;
}

/** The ends of a `gap` within a `span`; where there is no gap, nothing of the conversation has been read. */
export const LO = sql`case when span.lo > coalesce(gap.lo, 0) then span.lo else coalesce(gap.lo, 0) end`;
export const HI = sql`case when span.hi < coalesce(gap.hi, ${END}) then span.hi else coalesce(gap.hi, ${END}) end`;

/**
 * The gaps between a user's read intervals in each conversation, limited to when the user received it, and the unread
 * messages that were received one by one, of these only those from `first` to `last`. Gaps may overlap.
 */
export function gapsOf(realmId: RealmId, userId: UserId, { first, last }: Window): RawBuilder<Gap> {
  return sql<Gap>`
    select span.recipient_id, ${LO} as lo, ${HI} as hi
    from (
      select c.recipient_id, s.after_message_id + 1 as lo, coalesce(s.until_message_id, ${END}) as hi
        from subscription_period s join channel c on c.id = s.channel_id
        where s.realm_id = ${realmId} and s.user_id = ${userId}
      union all select d.recipient_id, 1, ${END} from direct_participant d
        where d.realm_id = ${realmId} and d.user_id = ${userId}
    ) span left join (
      select recipient_id, last_id + 1 as lo,
        coalesce(lead(first_id) over (partition by recipient_id order by first_id) - 1, ${END}) as hi
        from read_interval where realm_id = ${realmId} and user_id = ${userId}
      union all select recipient_id, 0, min(first_id) - 1
        from read_interval where realm_id = ${realmId} and user_id = ${userId} group by recipient_id
    ) gap on gap.recipient_id = span.recipient_id
    union all select h.recipient_id, h.id, h.id from message_flag f join message h on h.id = f.message_id
      where f.realm_id = ${realmId} and f.user_id = ${userId} and ${isFlaggedUnread(realmId)}
        and f.message_id >= ${first} and f.message_id <= ${last}
    union all select h.recipient_id, h.id, h.id
      from ${DELIVERED}
      where r.realm_id = ${realmId} and r.user_id = ${userId} and r.last_id >= ${first} and r.first_id <= ${last}
        and ${isUnread(realmId, 'r')} and h.id >= ${first} and h.id <= ${last}`;
}

/** Whether the flag `f` says that its user received the message `h` by itself, and the message is unread. */
export const isFlaggedUnread = (realmId: RealmId) =>
  sql<SqlBool>`f.flag in ('historical', 'delivered') and ${isUnread(realmId, 'f')}`;

/**
 * Whether the user of the row `of` has not read the message `h`. Only the read interval that begins before the message
 * is looked at, as a user may have received thousands of them in one channel.
 */
export const isUnread = (realmId: RealmId, of: string) => sql<SqlBool>`h.id > coalesce((
  select i.last_id from read_interval i
    where i.realm_id = ${realmId} and i.user_id = ${reference(`${of}.user_id`)} and i.recipient_id = h.recipient_id
      and i.first_id <= h.id
    order by i.first_id desc limit 1), 0)`;

/** Source of a select of the messages `h` that users received by deliveries, with the rows `r` that say so. */
export const DELIVERED = sql`delivered_user r
  join message h on h.delivery_id = r.delivery_id and h.id >= r.first_id and h.id <= r.last_id`;

/**
 * Selects the IDs of everything a user has received and not read. It looks only into the gaps between read intervals,
 * so the cost depends on the number of unread messages and conversations, not on what has been read. An ID may occur
 * twice. Only IDs from `first` to `last` are looked at.
 */
export function unreadOf(realmId: RealmId, userId: UserId, window: Window): Expression<{ id: MessageId }> {
  return sql<{ id: MessageId }>`select m.id from (${gapsOf(realmId, userId, window)}) g cross join message m
    where ${isInGap('m', window)}`;
}

/** Whether a message is in the gap `g` and in a window of IDs. */
function isInGap(message: string, { first, last }: Window): RawBuilder<SqlBool> {
  const [recipient, id] = [reference(`${message}.recipient_id`), reference(`${message}.id`)];
  return sql<SqlBool>`${recipient} = g.recipient_id
    and ${id} >= case when g.lo > ${first} then g.lo else ${first} end
    and ${id} <= case when g.hi < ${last} then g.hi else ${last} end`;
}

/** How `messagesInGaps` joins messages. */
export interface Joining {
  /** Columns that are read beside the ID. */
  readonly columns?: readonly string[];
  /** Conditions about `message`, beyond that it is in a gap. */
  readonly conditions?: readonly Expression<SqlBool>[];
}

/** Source of a select in which `message` is each message of the user's gaps `g` that is in a window of IDs. */
export function messagesInGaps(
  { realmId, dialect }: Pick<RealmReadTx, 'realmId' | 'dialect'>,
  userId: UserId,
  window: Window,
  { columns = [], conditions = [] }: Joining = {},
): RawBuilder<unknown> {
  return dialect.joinedByIndex(sql`(${gapsOf(realmId, userId, window)}) g`, {
    table: 'message',
    as: 'message',
    columns: ['id', ...columns],
    where: sql<SqlBool>`${sql.join([isInGap('message', window), ...conditions], sql` and `)}`,
  });
}
