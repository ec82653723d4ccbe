import type { ChannelId, UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';

const FOLLOWED = 3;

/** The users who follow a topic. */
export async function followersOf(tx: RealmReadTx, channelId: ChannelId, topic: string): Promise<ReadonlySet<UserId>> {
  const rows = await tx.db
    .selectFrom('user_topic')
    .select('user_id')
    .where('realm_id', '=', tx.realmId)
    .where('channel_id', '=', channelId)
    .where('topic_key', '=', foldCase(topic))
    .where('visibility_policy', '=', FOLLOWED)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}
