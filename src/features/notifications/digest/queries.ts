import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { asId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';

/** A topic with activity. */
export interface BusyTopic {
  readonly channel_id: ChannelId;
  readonly topic_key: string;
  /** Number of people who wrote, of messages, and of reactions to them. */
  readonly people: number;
  readonly messages: number;
  readonly reactions: number;
  readonly newest: MessageId;
}

/** Lists the topics with activity since a time, by number of people, then of reactions; bots do not count. */
export async function listBusyTopics(tx: RealmReadTx, since: number, limit: number): Promise<readonly BusyTopic[]> {
  const before = await tx.db
    .selectFrom('message')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where('sent_at', '<', since)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const rows = await tx.db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.sender_id')
    .leftJoin('reaction', 'reaction.message_id', 'message.id')
    .select(({ fn }) => [
      'message.channel_id',
      'message.topic_key',
      fn.count('message.sender_id').distinct().as('people'),
      fn.count('message.id').distinct().as('messages'),
      fn.count('reaction.id').as('reactions'),
      fn.max('message.id').as('newest'),
    ])
    .where('message.realm_id', '=', tx.realmId)
    .where('message.id', '>', before?.id ?? asId<MessageId>(0))
    .where('message.channel_id', 'is not', null)
    .where('user.is_bot', '=', false)
    .groupBy(['message.channel_id', 'message.topic_key'])
    .orderBy('people', 'desc')
    .orderBy('reactions', 'desc')
    .orderBy('newest', 'desc')
    .limit(limit)
    .execute();
  return rows.flatMap(({ channel_id, newest, ...row }) =>
    channel_id === null
      ? []
      : [
          {
            channel_id,
            topic_key: row.topic_key,
            people: Number(row.people),
            messages: Number(row.messages),
            reactions: Number(row.reactions),
            newest: asId<MessageId>(Number(newest)),
          },
        ],
  );
}

/** A channel that people may not know yet. */
export interface NewChannel {
  readonly id: ChannelId;
  readonly name: string;
  readonly description: string;
}

/** Lists the channels created since a time that everybody may see, newest first. */
export function listNewChannels(tx: RealmReadTx, since: number, limit: number): Promise<readonly NewChannel[]> {
  return tx.db
    .selectFrom('channel')
    .select(['id', 'name', 'description'])
    .where('realm_id', '=', tx.realmId)
    .where('date_created', '>=', since)
    .where('invite_only', '=', false)
    .where('is_archived', '=', false)
    .orderBy('date_created', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Lists a page of people, by ID, who were away since a time: not active, without a browser session in use, and not new.
 */
export async function listAbsent(
  tx: RealmReadTx,
  since: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly UserId[]> {
  const page = absentSince(tx, since).where('id', '>', asId<UserId>(after)).limit(limit);
  return (await page.execute()).map(({ id }) => id);
}

/** Whether somebody was away since a time. */
export async function isAbsent(tx: RealmReadTx, since: number, userId: UserId): Promise<boolean> {
  return (await absentSince(tx, since).where('id', '=', userId).executeTakeFirst()) !== undefined;
}

function absentSince(tx: RealmReadTx, since: number) {
  return tx.db
    .selectFrom('user')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where('is_active', '=', true)
    .where('is_bot', '=', false)
    .where('date_joined', '<', since)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('presence')
            .select('presence.user_id')
            .whereRef('presence.user_id', '=', 'user.id')
            .where('presence.last_active_at', '>=', since),
        ),
      ),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('session')
            .select('session.id')
            .whereRef('session.user_id', '=', 'user.id')
            .where('session.last_seen_at', '>=', since),
        ),
      ),
    )
    .orderBy('id');
}
