import type { ActorReadTx } from '#kernel/auth';
import type { ChannelId, GroupId, MessageId, RecipientId, UserId } from '#kernel/ids';
import { type Expression, type RealmReadTx, sql, type SqlBool } from '#kernel/store';
import { EVERYTHING, type StoredFlag, type Window } from '../../core/index.ts';
import { DELIVERED, END, gapsOf, HI, isFlaggedUnread, isUnread, LO } from './gaps/queries.ts';

/**
 * Finds the first message that the actor has received and not read and that matches all conditions. It looks into each
 * gap up to its first match, so the cost depends on the number of gaps, not on their size. Where few messages match,
 * the caller asks for one window of IDs (both ends count) after another.
 */
export async function findFirstUnread(
  tx: ActorReadTx,
  conditions: readonly Expression<SqlBool>[],
  among: Window,
): Promise<MessageId | undefined> {
  const within = sql.join([sql`message.recipient_id = g.recipient_id`, ...conditions], sql` and `);
  const { rows } = await sql<{ id: MessageId | null }>`select min(first.id) as id from (
    select (select message.id from message where ${within} and message.id >= g.lo and message.id <= g.hi
      and message.id >= ${among.first} and message.id <= ${among.last} order by message.id limit 1) as id
    from (${gapsOf(tx.realmId, tx.actor.userId, among)}) g) first`.execute(tx.db);
  return rows[0]?.id ?? undefined;
}

/** A message that one of several users has received and not read. */
export interface UnreadBy {
  readonly user_id: UserId;
  readonly recipient_id: RecipientId;
  readonly id: MessageId;
}

/** Lists unread messages of each user in the channels of some conversations within a window of IDs, at most `most`. */
export async function listUnreadBy(
  tx: RealmReadTx,
  userIds: readonly UserId[],
  recipientIds: readonly RecipientId[],
  { among, most }: { readonly among: Window; readonly most: number },
): Promise<readonly UnreadBy[]> {
  const users = (column: string) => tx.dialect.anyOf(column, userIds);
  const places = (column: string) => tx.dialect.anyOf(column, recipientIds);
  const within = among === EVERYTHING ? sql`` : sql` and m.id >= ${among.first} and m.id <= ${among.last}`;
  const { rows } = await sql<UnreadBy>`
    select distinct g.user_id, m.recipient_id, m.id
    from ${tx.dialect.joinedByIndex(
      sql`(
      select span.user_id, span.recipient_id, ${LO} as lo, ${HI} as hi from (
        select s.user_id, c.recipient_id, s.after_message_id + 1 as lo, coalesce(s.until_message_id, ${END}) as hi
          from subscription_period s join channel c on c.id = s.channel_id
          where s.realm_id = ${tx.realmId} and ${users('s.user_id')} and ${places('c.recipient_id')}
      ) span left join (
        select user_id, recipient_id, last_id + 1 as lo,
          coalesce(lead(first_id) over (partition by user_id, recipient_id order by first_id) - 1, ${END}) as hi
          from read_interval where realm_id = ${tx.realmId} and ${users('user_id')} and ${places('recipient_id')}
        union all select user_id, recipient_id, 0, min(first_id) - 1 from read_interval
          where realm_id = ${tx.realmId} and ${users('user_id')} and ${places('recipient_id')}
          group by user_id, recipient_id
      ) gap on gap.user_id = span.user_id and gap.recipient_id = span.recipient_id
      union all select f.user_id, h.recipient_id, h.id, h.id from message_flag f join message h on h.id = f.message_id
        where f.realm_id = ${tx.realmId} and ${users('f.user_id')} and ${places('h.recipient_id')} and ${isFlaggedUnread(tx.realmId)}
      union all select r.user_id, h.recipient_id, h.id, h.id from ${DELIVERED}
        where r.realm_id = ${tx.realmId} and ${users('r.user_id')} and ${places('h.recipient_id')} and ${isUnread(tx.realmId, 'r')}
    ) g`,
      {
        table: 'message',
        as: 'm',
        columns: ['id', 'recipient_id'],
        where: sql<SqlBool>`m.recipient_id = g.recipient_id and m.id >= g.lo and m.id <= g.hi${within}`,
      },
    )}
    limit ${most}`.execute(tx.db);
  return rows;
}

/** Which messages from `oldest` on mention one of the groups. */
export async function listGroupMentions(
  tx: RealmReadTx,
  groups: ReadonlySet<GroupId>,
  oldest: MessageId,
): Promise<ReadonlySet<MessageId>> {
  const rows = await tx.db
    .selectFrom('message_group_mention')
    .select('message_id')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('group_id', [...groups]))
    .where('message_id', '>=', oldest)
    .execute();
  return new Set(rows.map((row) => row.message_id));
}

/** Every conversation in which a user may have received something. */
export async function conversationsOf(tx: RealmReadTx, userId: UserId): Promise<readonly RecipientId[]> {
  const { rows } = await sql<{ id: RecipientId }>`
    select c.recipient_id as id from subscription_period s join channel c on c.id = s.channel_id
      where s.realm_id = ${tx.realmId} and s.user_id = ${userId}
    union select recipient_id from direct_participant where realm_id = ${tx.realmId} and user_id = ${userId}
    union select m.recipient_id from message_flag f join message m on m.id = f.message_id
      where f.realm_id = ${tx.realmId} and f.user_id = ${userId} and f.flag in ('historical', 'delivered')
    union select d.recipient_id from delivered_user r join delivery d on d.id = r.delivery_id
      where r.realm_id = ${tx.realmId} and r.user_id = ${userId}`.execute(tx.db);
  return rows.map((row) => row.id);
}

/** Which messages from `oldest` on mention the actor by name or with the topic. */
export async function listMentions(
  tx: ActorReadTx,
  oldest: MessageId,
): Promise<ReadonlyMap<MessageId, ReadonlySet<StoredFlag>>> {
  const rows = await tx.db
    .selectFrom('message_flag')
    .select(['message_id', 'flag'])
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('flag', 'in', ['mentioned', 'topic_wildcard_mentioned'])
    .where('message_id', '>=', oldest)
    .execute();
  const marks = new Map<MessageId, Set<StoredFlag>>();
  for (const { message_id, flag } of rows) marks.set(message_id, (marks.get(message_id) ?? new Set()).add(flag));
  return marks;
}

/** The actor's visibility policies of topics in channels that are not archived: 1 muted, 2 unmuted, 3 followed. */
interface TopicPolicyRow {
  readonly channel_id: ChannelId;
  readonly topic_key: string;
  readonly visibility_policy: number;
}

export async function listPolicies(tx: ActorReadTx): Promise<readonly TopicPolicyRow[]> {
  const { rows } = await sql<TopicPolicyRow>`select u.channel_id, u.topic_key, u.visibility_policy
    from user_topic u join channel c on c.id = u.channel_id
    where u.realm_id = ${tx.realmId} and u.user_id = ${tx.actor.userId} and c.is_archived = false`.execute(tx.db);
  return rows;
}
