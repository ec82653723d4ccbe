import { OFFLINE_SECONDS } from '#features/presence';
import { asId, type ChannelId, type RecipientId, type UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { compiled, type RealmReadTx, sql } from '#kernel/store';

const FOLLOWED = 3;

/** Topics by name, in these channels. */
export interface Topics {
  readonly channelIds: readonly ChannelId[];
  readonly topicKeys: readonly string[];
}

/**
 * A user who wants to be notified of every message of a topic, of a channel or, if neither is named, of all channels.
 */
interface Hearer {
  readonly user_id: UserId;
  readonly channel_id: ChannelId | null;
  readonly topic_key: string | null;
}

/**
 * Lists the users who follow one of the topics, or want to be notified of one of the channels or of all channels,
 * subscribed or not. Each part has a partial index with the same condition, so that the cost does not grow with the
 * number of subscribers.
 */
export function listHearers(tx: RealmReadTx, { channelIds, topicKeys }: Topics): Promise<readonly Hearer[]> {
  return hearersOf(tx, channelIds, topicKeys);
}

const hearersOf = compiled(({ realmId, dialect }, channelIds: readonly ChannelId[], topicKeys: readonly string[]) => {
  const inChannels = dialect.anyOf('channel_id', channelIds);
  return sql<Hearer>`
      select user_id, channel_id, topic_key from user_topic where realm_id = ${realmId} and ${inChannels}
        and ${dialect.anyOfText('topic_key', topicKeys)} and visibility_policy = ${FOLLOWED}
      union all select user_id, channel_id, null from subscription where ${inChannels} and realm_id = ${realmId}
        and (push_notifications or email_notifications)
      union all select id, null, null from "user" where realm_id = ${realmId}
        and (user_settings like '%enable_stream_push_notifications%'
          or user_settings like '%enable_stream_email_notifications%')`;
});

/** A page of the people subscribed to a channel, by ID. */
export async function listSubscribers(
  tx: RealmReadTx,
  channelId: ChannelId,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly UserId[]> {
  const rows = await tx.db
    .selectFrom('subscription')
    .select('user_id')
    .where('realm_id', '=', tx.realmId)
    .where('channel_id', '=', channelId)
    .where('is_subscribed', '=', true)
    .where('user_id', '>', asId<UserId>(after))
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** The participants of direct conversations. */
export async function participantsIn(
  tx: RealmReadTx,
  recipientIds: readonly RecipientId[],
): Promise<ReadonlyMap<RecipientId, readonly UserId[]>> {
  if (recipientIds.length === 0) return new Map();
  const rows = await participantsOf(tx, recipientIds);
  return grouped(rows.map((row) => [row.recipient_id, row.user_id]));
}

const participantsOf = compiled(({ db, realmId, dialect }, recipientIds: readonly RecipientId[]) =>
  db
    .selectFrom('direct_participant')
    .select(['recipient_id', 'user_id'])
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('recipient_id', recipientIds))
    .orderBy('user_id'),
);

/** Lists which of the users can be notified at all, with their settings. */
export const listPeople = compiled(({ db, realmId, dialect }, ids: readonly UserId[]) =>
  db
    .selectFrom('user')
    .select(['id', 'user_settings', 'timezone'])
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('id', ids))
    .where('is_active', '=', true)
    .where('is_bot', '=', false),
);

/** Lists the users' visibility policies of topics. */
export function listPolicies(tx: RealmReadTx, ids: readonly UserId[], { channelIds, topicKeys }: Topics) {
  return policiesOn(tx, ids, channelIds, topicKeys);
}

const policiesOn = compiled(
  ({ db, realmId, dialect }, ids: readonly UserId[], channelIds: readonly ChannelId[], topicKeys: readonly string[]) =>
    db
      .selectFrom('user_topic')
      .select(['user_id', 'channel_id', 'topic_key', 'visibility_policy'])
      .where('realm_id', '=', realmId)
      .where(dialect.anyOf('user_id', ids))
      .where(dialect.anyOf('channel_id', channelIds))
      .where(dialect.anyOfText('topic_key', topicKeys)),
);

/** Returns which of the users are active on a device at present. */
export async function activeAmong(tx: RealmReadTx, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  const rows = await activeSince(tx, ids, tx.now - OFFLINE_SECONDS);
  return new Set(rows.map((row) => row.user_id));
}

const activeSince = compiled(({ db, realmId, dialect }, ids: readonly UserId[], since: number) =>
  db
    .selectFrom('presence')
    .select('user_id')
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('user_id', ids))
    .where('last_active_at', '>=', since),
);
