import type { MessageRow } from '#features/messages';
import { OFFLINE_SECONDS } from '#features/presence';
import { asId, type RealmId, type UserId } from '#kernel/ids';
import { type ReadTx, sql } from '#kernel/store';

const FOLLOWED = 3;

interface Page {
  /** Everybody with a greater ID. */
  readonly after: number;
  readonly limit: number;
}

/**
 * People subscribed to a message's channel whom it may concern, by ID: all of them where it mentions everybody, else those
 * who are singled out, follow the topic, or want to hear of the channel or of channels at large.
 */
export async function listConcerned(tx: ReadTx, message: MessageRow, singled: readonly UserId[], page: Page) {
  const receivers = receiversOf(tx, message).orderBy('user.id').limit(page.limit);
  if (message.mentions_channel) return receivers.where('user.id', '>', asId<UserId>(page.after)).execute();
  const concerned = new Set([...singled, ...(await listHearers(tx, message))]);
  const ids = [...concerned].filter((id) => id > page.after);
  return ids.length === 0 ? [] : receivers.where(tx.dialect.anyOf('user.id', ids)).execute();
}

/** People subscribed to a message's channel, with what they wish of it. */
function receiversOf(tx: ReadTx, { realm_id, channel_id, topic_key, sender_id }: MessageRow) {
  return tx.db
    .selectFrom('subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    .leftJoin('user_topic', (join) =>
      join
        .onRef('user_topic.user_id', '=', 'subscription.user_id')
        .onRef('user_topic.channel_id', '=', 'subscription.channel_id')
        .on('user_topic.topic_key', '=', topic_key),
    )
    .where('subscription.realm_id', '=', realm_id)
    .where('subscription.channel_id', '=', channel_id)
    .where('subscription.is_subscribed', '=', true)
    .where('user.is_active', '=', true)
    .where('user.is_bot', '=', false)
    .where('user.id', '!=', sender_id)
    .select(['user.id', 'user.user_settings', 'user_topic.visibility_policy'])
    .select(['subscription.is_muted', 'subscription.push_notifications', 'subscription.email_notifications'])
    .select('subscription.wildcard_mentions_notify');
}

/**
 * Who follows a message's topic, or wants to hear of its channel or of channels at large, subscribed or not. Each part has
 * an index of just those people, spelled like the condition here, so that the cost does not grow with the subscribers.
 */
async function listHearers(tx: ReadTx, { realm_id, channel_id, topic_key }: MessageRow): Promise<readonly UserId[]> {
  const { rows } = await sql<{ user_id: UserId }>`
    select user_id from user_topic where realm_id = ${realm_id} and channel_id = ${channel_id}
      and topic_key = ${topic_key} and visibility_policy = ${FOLLOWED}
    union all select user_id from subscription where channel_id = ${channel_id} and realm_id = ${realm_id}
      and (push_notifications or email_notifications)
    union all select id from "user" where realm_id = ${realm_id}
      and (user_settings like '%enable_stream_push_notifications%'
        or user_settings like '%enable_stream_email_notifications%')`.execute(tx.db);
  return rows.map(({ user_id }) => user_id);
}

/** People of a direct message's conversation other than its sender, by ID. */
export function listAddressed(tx: ReadTx, { realm_id, recipient_id, sender_id }: MessageRow, { after, limit }: Page) {
  return tx.db
    .selectFrom('direct_participant')
    .innerJoin('user', 'user.id', 'direct_participant.user_id')
    .where('direct_participant.realm_id', '=', realm_id)
    .where('direct_participant.recipient_id', '=', recipient_id)
    .where('user.is_active', '=', true)
    .where('user.is_bot', '=', false)
    .where('user.id', '!=', sender_id)
    .where('user.id', '>', asId<UserId>(after))
    .select(['user.id', 'user.user_settings'])
    .orderBy('user.id')
    .limit(limit)
    .execute();
}

/** Those of the users who used a device just now. */
export async function activeAmong(tx: ReadTx, realmId: RealmId, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  const rows = await tx.db
    .selectFrom('presence')
    .select('user_id')
    .where('realm_id', '=', realmId)
    .where(tx.dialect.anyOf('user_id', ids))
    .where('last_active_at', '>=', tx.now - OFFLINE_SECONDS)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}
