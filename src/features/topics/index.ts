import { applier, slice } from '#kernel/slice';
import { applyChannelName, applyMutedTopics, applyPolicyEvent } from './apply.ts';
import { onChannelArchived, onChannelBack } from './archiving.ts';
import { onMessagePosted, onTopicJoined, onTopicMoved } from './automatic.ts';
import { topicEndpoints } from './endpoints.ts';
import { topicEvents } from './events.ts';
import { mutedTopicsState, userTopicsState } from './state.ts';
import { userTopic } from './tables.ts';

export const topics = slice({
  name: 'topics',
  tables: [userTopic],
  reads: ['channel', 'message', 'subscription_period', 'user'],
  endpoints: topicEndpoints,
  events: topicEvents,
  state: [mutedTopicsState, userTopicsState],
  applies: [
    applier(['user_topic'], ['user_topics'], applyPolicyEvent),
    applier(['muted_topics'], ['muted_topics'], applyMutedTopics),
    applier(['stream'], ['muted_topics'], applyChannelName),
  ],
  on: [onMessagePosted, onTopicJoined, onTopicMoved, onChannelArchived, onChannelBack],
});
