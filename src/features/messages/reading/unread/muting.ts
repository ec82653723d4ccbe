import type { UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { listSubscriptions } from '#features/channels';
import type { MessageRow } from '../../core/index.ts';
import { listPolicies } from './queries.ts';

const MUTED = 1;

/** Tells whether a channel message is muted for a user: by its topic, or by its channel where the topic says nothing else. */
export async function mutingOf(
  tx: RealmReadTx,
  userId: UserId,
): Promise<(message: Pick<MessageRow, 'channel_id' | 'topic'>) => boolean> {
  const subscriptions = await listSubscriptions(tx, userId);
  const channels = new Set(
    subscriptions.filter((subscription) => subscription.is_muted).map((subscription) => subscription.channel_id),
  );
  const rows = await listPolicies(tx, userId);
  const policies = new Map(rows.map((row) => [`${row.channel_id}:${row.topic_key}`, row.visibility_policy]));
  return ({ channel_id, topic }) => {
    if (channel_id === null) return false;
    const policy = policies.get(`${channel_id}:${foldCase(topic)}`) ?? 0;
    return policy === MUTED || (policy === 0 && channels.has(channel_id));
  };
}
