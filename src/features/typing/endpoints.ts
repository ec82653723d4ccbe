import { endpoint, everyone, json, optional, path, raw, withDefault } from '#kernel/endpoint';
import { ParameterMissing } from '#kernel/errors';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { idOf, list, oneOf, text } from '#kernel/schema';
import { InvalidChannelId } from '#features/channels';
import { InvalidMessage, MAX_TOPIC, NotAuthorizedToSend, PostingRefused } from '#features/messages';
import { typeEdit, typeInChannel, typeToPeople } from './actions.ts';
import * as errors from './errors.ts';

/** Most people of a conversation. */
const MAX_PEOPLE = 1000;

const op = raw(oneOf('start', 'stop'));

const setTyping = endpoint({
  id: 'set-typing-status',
  method: 'POST',
  path: '/typing',
  source: 'protocol/typing#direct',
  doc: 'Tells others that the caller is typing, or has stopped.',
  who: everyone,
  params: {
    type: withDefault(raw(oneOf('direct', 'stream', 'channel')), 'direct'),
    op,
    to: optional(json(list(idOf<UserId>(), { max: MAX_PEOPLE }), 'The people of a direct conversation.')),
    stream_id: optional(json(idOf<ChannelId>())),
    topic: optional(raw(text({ max: MAX_TOPIC }))),
  },
  returns: {},
  fails: [
    ParameterMissing,
    errors.NobodyAddressed,
    errors.DirectTypingDisabled,
    errors.InvalidUserId,
    errors.TypingChannelMissing,
    errors.TypingTopicMissing,
    errors.ChannelTypingDisabled,
    InvalidChannelId,
    PostingRefused,
    NotAuthorizedToSend,
  ],
  async run({ actor, params, context }) {
    if (params.type === 'direct') await typeToPeople(context, actor, params);
    else await typeInChannel(context, actor, params);
    return {};
  },
});

const setEditTyping = endpoint({
  id: 'set-typing-status-for-message-edit',
  method: 'POST',
  path: '/messages/{message_id}/typing',
  source: 'protocol/typing#editing',
  since: 351,
  doc: 'Tells others that the caller is editing a message, or has stopped.',
  who: everyone,
  params: { message_id: path(idOf<MessageId>()), op },
  returns: {},
  fails: [InvalidMessage, errors.TypingRefused, errors.DirectTypingDisabled, errors.ChannelTypingDisabled],
  async run({ actor, params, context }) {
    await typeEdit(context, actor, params);
    return {};
  },
});

export const typingEndpoints = [setTyping, setEditTyping];
