import { endpoint, everyone, json, optional, raw } from '#kernel/endpoint';
import { asId, type ChannelId, type MessageId } from '#kernel/ids';
import { bool, idOf, int, list, nullable, text } from '#kernel/schema';
import { InvalidChannelId } from '#features/channels';
import { anchorParam, narrowParam, parseAnchor } from '../finding/index.ts';
import { messageErrors as errors } from '../core/index.ts';
import { parseNarrow } from '../narrow/index.ts';
import { normaliseTopic } from '../core/index.ts';
import { updateFlags, updateFlagsIn } from './actions.ts';
import { markAllRead, markChannelRead } from './mark-read.ts';
import { parseFlag, parseOperation } from './rules.ts';

/** Most messages of one change: as many as one fetch returns. */
const MAX_FLAGGED = 5_000;

const FLAG_ERRORS = [errors.InvalidFlag, errors.FlagNotEditable, errors.InvalidFlagOperation, errors.InvalidMessage];

const updateMessageFlags = endpoint({
  id: 'update-message-flags',
  method: 'POST',
  path: '/messages/flags',
  source: 'protocol/flags#changing',
  doc: 'Adds or removes a personal flag of messages.',
  who: everyone,
  params: {
    messages: json(list(int(), { max: MAX_FLAGGED })),
    op: raw(text(), '`add` or `remove`.'),
    flag: raw(text(), '`read`, `starred` or `collapsed`.'),
  },
  returns: {
    messages: list(int()),
    ignored_because_not_subscribed_channels: list(idOf<ChannelId>()),
  },
  fails: FLAG_ERRORS,
  async run({ actor, params, context }) {
    const flag = parseFlag(params.flag);
    const op = parseOperation(params.op);
    const ids = params.messages.map((id) => asId<MessageId>(id));
    const { ignored } = await updateFlags(context, actor, ids, { op, flag });
    return { messages: params.messages, ignored_because_not_subscribed_channels: [...ignored] };
  },
});

const updateFlagsForNarrow = endpoint({
  id: 'update-message-flags-for-narrow',
  method: 'POST',
  path: '/messages/flags/narrow',
  source: 'protocol/flags#by-narrow',
  since: 155,
  doc: 'Adds or removes a personal flag of the messages of a narrow around an anchor.',
  who: everyone,
  mayBeLarge: true,
  params: {
    anchor: anchorParam,
    anchor_date: optional(raw(text(), 'ISO 8601; with the anchor `date`.')),
    include_anchor: optional(json(bool())),
    num_before: json(int({ min: 0 })),
    num_after: json(int({ min: 0 })),
    narrow: json(nullable(narrowParam.schema)),
    op: raw(text(), '`add` or `remove`.'),
    flag: raw(text(), '`read`, `starred` or `collapsed`.'),
  },
  returns: {
    processed_count: int(),
    updated_count: int(),
    first_processed_id: nullable(idOf<MessageId>()),
    last_processed_id: nullable(idOf<MessageId>()),
    found_oldest: bool(),
    found_newest: bool(),
    ignored_because_not_subscribed_channels: list(idOf<ChannelId>()),
  },
  fails: [
    ...FLAG_ERRORS,
    errors.AnchorExcluded,
    errors.MissingAnchor,
    errors.InvalidAnchor,
    errors.MissingAnchorDate,
    errors.InvalidAnchorDate,
    errors.BadNarrow,
    errors.DuplicateWith,
  ],
  async run({ actor, params, context }) {
    const { num_before, num_after, include_anchor = true } = params;
    const anchor = parseAnchor(params);
    const flag = parseFlag(params.flag);
    const op = parseOperation(params.op);
    const terms = parseNarrow(params.narrow ?? []);
    const amounts = { num_before, num_after, include_anchor };
    const { found, changed } = await updateFlagsIn(context, actor, { terms, anchor, amounts }, { op, flag });
    return {
      processed_count: found.ids.length,
      updated_count: changed.ids.length,
      first_processed_id: found.ids[0] ?? null,
      last_processed_id: found.ids.at(-1) ?? null,
      found_oldest: found.found_oldest,
      found_newest: found.found_newest,
      ignored_because_not_subscribed_channels: [...changed.ignored],
    };
  },
});

const markAllAsRead = endpoint({
  id: 'mark-all-as-read',
  method: 'POST',
  path: '/mark_all_as_read',
  source: 'protocol/flags#marking-read',
  doc: 'Marks every message read; it always completes at once.',
  who: everyone,
  params: {},
  returns: { complete: bool() },
  async run({ actor, context }) {
    await markAllRead(context, actor);
    return { complete: true };
  },
});

const markStreamAsRead = endpoint({
  id: 'mark-stream-as-read',
  method: 'POST',
  path: '/mark_stream_as_read',
  source: 'protocol/flags#marking-read',
  doc: "Marks a channel's messages read.",
  who: everyone,
  params: { stream_id: json(idOf<ChannelId>()) },
  returns: {},
  fails: [InvalidChannelId],
  async run({ actor, params, context }) {
    await markChannelRead(context, actor, params.stream_id);
    return {};
  },
});

const markTopicAsRead = endpoint({
  id: 'mark-topic-as-read',
  method: 'POST',
  path: '/mark_topic_as_read',
  source: 'protocol/flags#marking-read',
  doc: "Marks a topic's messages read.",
  who: everyone,
  params: { stream_id: json(idOf<ChannelId>()), topic_name: raw(text()) },
  returns: {},
  fails: [InvalidChannelId, errors.NoSuchTopic, errors.TopicCharacter],
  async run({ actor, params, context }) {
    await markChannelRead(context, actor, params.stream_id, normaliseTopic(params.topic_name));
    return {};
  },
});

export const flagEndpoints = [
  updateMessageFlags,
  updateFlagsForNarrow,
  markAllAsRead,
  markStreamAsRead,
  markTopicAsRead,
];
