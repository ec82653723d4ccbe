import type { ActorReadTx } from '#kernel/auth';
import { foldCase } from '#kernel/text';
import { listSubscriptions } from '#features/channels';
import type { MessageRow } from '../../core/index.ts';
import { listPolicies } from './queries.ts';

const MUTED = 1;

/**
 * Returns a function that tells whether a channel message is muted for the actor: by its topic's policy, or by its
 * channel where the topic has none.
 */
export async function mutingOf(
  tx: ActorReadTx,
): Promise<(message: Pick<MessageRow, 'channel_id' | 'topic'>) => boolean> {
  const subscriptions = await listSubscriptions(tx, tx.actor.userId);
  const channels = new Set(
    subscriptions.filter((subscription) => subscription.is_muted).map((subscription) => subscription.channel_id),
  );
  const rows = await listPolicies(tx);
  const policies = new Map(rows.map((row) => [`${row.channel_id}:${row.topic_key}`, row.visibility_policy]));
  return ({ channel_id, topic }) => {
    if (channel_id === null) return false;
    const policy = policies.get(`${channel_id}:${foldCase(topic)}`) ?? 0;
    return policy === MUTED || (policy === 0 && channels.has(channel_id));
  };
}
