import { event } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import { idOf, int, list, str, tuple } from '#kernel/schema';
import { topicShown } from '#kernel/text';

/** Name of a channel, topic, and when it was muted. */
export const mutedTopic = tuple(str(), str(), int());

/** All muted topics of the receiver, for clients without policies. See protocol/events#own-data. */
export const mutedTopicsChanged = event({
  type: 'muted_topics',
  source: 'protocol/events#own-data',
  payload: { muted_topics: list(mutedTopic) },
  supersededBy: 'user_topic',
});

/** The receiver's policy of a topic changed; 0 for none. See protocol/events#own-data. */
export const userTopicChanged = event({
  type: 'user_topic',
  source: 'protocol/events#own-data',
  payload: { stream_id: idOf<ChannelId>(), topic_name: str(), last_updated: int(), visibility_policy: int() },
  variesBy: ['empty_topic_name'],
  wire: (payload, { empty_topic_name }) => [
    { ...payload, topic_name: topicShown(payload.topic_name, empty_topic_name) },
  ],
});

export const topicEvents = [mutedTopicsChanged, userTopicChanged];
