import { endpoint, everyone, json, optional, path, raw, spectators, withDefault } from '#kernel/endpoint';
import { ParametersIncompatible } from '#kernel/errors';
import type { ChannelId } from '#kernel/ids';
import { bool, idOf, int, list, object, oneOf, oneOfNumbers, str, text } from '#kernel/schema';
import { accessChannelContent, hasSharedHistory, InvalidChannelId } from '#features/channels';
import { MAX_TOPIC } from '#features/messages';
import { deleteTopic, setMuted, setPolicy } from './actions.ts';
import { DeletingTopicRefused, InvalidChannelName, TooManyPolicies, TopicNotMuted } from './errors.ts';
import { listTopics } from './queries.ts';
import { topicShown } from '#kernel/text';

const topic = raw(text({ max: MAX_TOPIC }), 'May be empty.');

const getTopics = endpoint({
  id: 'get-stream-topics',
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  source: 'protocol/topics#listing',
  doc: 'The topics of a channel, newest first.',
  who: spectators,
  params: { stream_id: path(idOf<ChannelId>()), allow_empty_topic_name: withDefault(json(bool()), false) },
  returns: { topics: list(object({ name: str(), max_id: int() }).meta({ id: 'Topic' })) },
  fails: [InvalidChannelId],
  async run({ actor, realm, params, context }) {
    const rows = await context.store.asCaller(realm, actor).read(async (tx) => {
      const { channel } = await accessChannelContent(tx, params.stream_id);
      const isOpen = hasSharedHistory(channel) || channel.is_web_public;
      return listTopics(tx, channel.recipient_id, isOpen ? undefined : actor?.userId);
    });
    return {
      topics: rows.map(({ name, max_id }) => ({ name: topicShown(name, params.allow_empty_topic_name), max_id })),
    };
  },
});

const setPolicyEndpoint = endpoint({
  id: 'update-user-topic',
  method: 'POST',
  path: '/user_topics',
  source: 'protocol/topics#visibility-policies',
  since: 170,
  doc: 'Mutes, unmutes or follows a topic.',
  who: everyone,
  params: {
    stream_id: json(idOf<ChannelId>()),
    topic,
    visibility_policy: json(oneOfNumbers(0, 1, 2, 3), '0 nothing special, 1 muted, 2 unmuted, 3 followed.'),
  },
  returns: {},
  fails: [InvalidChannelId, TooManyPolicies],
  async run({ actor, params, context }) {
    await setPolicy(context, actor, params);
    return {};
  },
});

const setMutedEndpoint = endpoint({
  id: 'mute-topic',
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  source: 'protocol/topics#visibility-policies',
  doc: 'Mutes or unmutes a topic. Deprecated; see `POST /user_topics`.',
  who: everyone,
  params: {
    stream_id: optional(json(idOf<ChannelId>())),
    stream: optional(raw(text())),
    topic,
    op: raw(oneOf('add', 'remove')),
  },
  returns: {},
  fails: [ParametersIncompatible, InvalidChannelId, InvalidChannelName, TopicNotMuted, TooManyPolicies],
  async run({ actor, params, context }) {
    await setMuted(context, actor, params);
    return {};
  },
});

const deleteTopicEndpoint = endpoint({
  id: 'delete-topic',
  method: 'POST',
  path: '/streams/{stream_id}/delete_topic',
  source: 'protocol/topics#deleting',
  doc: 'Deletes the messages of a topic; repeat the request until `complete` is true.',
  who: everyone,
  params: { stream_id: path(idOf<ChannelId>()), topic_name: raw(text({ max: MAX_TOPIC })) },
  returns: { complete: bool() },
  fails: [InvalidChannelId, DeletingTopicRefused],
  async run({ actor, params, context }) {
    return { complete: await deleteTopic(context, actor, params) };
  },
});

export const topicEndpoints = [getTopics, setPolicyEndpoint, setMutedEndpoint, deleteTopicEndpoint];
