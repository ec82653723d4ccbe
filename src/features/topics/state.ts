import type { ChannelId } from '#kernel/ids';
import { idOf, int, list, object, str } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { mutedTopic } from './events.ts';
import { listPoliciesOf } from './queries.ts';
import { mutedTopicsOf } from './to-wire.ts';
import { topicShown } from '#kernel/text';

/**
 * Muted topics in the old form; left out if the client asks for the newer one. See protocol/topics#visibility-policies.
 */
export const mutedTopicsState = registerState({
  fetchType: 'muted_topics',
  source: 'protocol/topics#visibility-policies',
  fields: { muted_topics: list(mutedTopic) },
  read: async ({ tx, request }): Promise<Readonly<Record<string, unknown>>> => {
    if (request.names('user_topic')) return {};
    if (!tx.actor) return { muted_topics: [] };
    return { muted_topics: mutedTopicsOf(await listPoliciesOf(tx, [tx.actor.userId])) };
  },
});

/** The caller's policies of topics. See protocol/topics#visibility-policies. */
export const userTopicsState = registerState({
  fetchType: 'user_topic',
  source: 'protocol/topics#visibility-policies',
  fields: {
    user_topics: list(
      object({ stream_id: idOf<ChannelId>(), topic_name: str(), last_updated: int(), visibility_policy: int() }),
    ),
  },
  read: async ({ tx, view }) => {
    if (!tx.actor) return { user_topics: [] };
    const rows = await listPoliciesOf(tx, [tx.actor.userId]);
    return {
      user_topics: rows.map(({ channel_id, topic, last_updated, visibility_policy }) => ({
        stream_id: channel_id,
        topic_name: topicShown(topic, view.empty_topic_name),
        last_updated,
        visibility_policy,
      })),
    };
  },
});
