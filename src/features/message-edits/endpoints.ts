import { InvalidChannelId } from '#features/channels';
import { ExpectationMismatch } from '#features/groups';
import {
  EmptyTopicOnly,
  EmptyTopicRefused,
  InvalidMessage,
  MENTION_ERRORS,
  MessageNullBytes,
  NotAuthorizedToSend,
  PostingRefused,
  TopicCharacter,
  TopicCreationRefused,
} from '#features/messages';
import { toWireAttachment, wireAttachment } from '#features/uploads';
import { alias, endpoint, everyone, json, optional, path, raw, withDefault } from '#kernel/endpoint';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { bool, idOf, int, list, maybe, nullable, object, oneOf, str, MAX_MARKDOWN, text } from '#kernel/schema';
import { deleteMessage } from './delete.ts';
import { editMessage } from './edit.ts';
import * as errors from './errors.ts';
import { readHistory } from './history.ts';

const message_id = path(idOf<MessageId>());

const getHistory = endpoint({
  id: 'get-message-history',
  method: 'GET',
  path: '/messages/{message_id}/history',
  source: 'protocol/editing#history',
  doc: 'The edit history of a message, oldest first.',
  who: everyone,
  params: { message_id, allow_empty_topic_name: withDefault(json(bool()), false) },
  returns: {
    message_history: list(
      object({
        topic: str(),
        content: str(),
        rendered_content: str(),
        user_id: nullable(idOf<UserId>()),
        timestamp: int(),
        prev_topic: maybe(str()),
        stream: maybe(idOf<ChannelId>()),
        prev_stream: maybe(idOf<ChannelId>()),
        prev_content: maybe(str()),
        prev_rendered_content: maybe(str()),
        content_html_diff: maybe(str()),
      }),
    ),
  },
  fails: [errors.HistoryDisabled, InvalidMessage],
  async run({ actor, params, context }) {
    const history = await readHistory(context, actor, params);
    return { message_history: [...history] };
  },
});

const deleteMessageEndpoint = endpoint({
  id: 'delete-message',
  method: 'DELETE',
  path: '/messages/{message_id}',
  source: 'protocol/editing#deleting',
  doc: 'Deletes a message for everybody.',
  who: everyone,
  params: { message_id },
  returns: {},
  fails: [InvalidMessage, errors.DeletingRefused, errors.DeletingTimePassed, errors.AlreadyDeleted],
  async run({ actor, params, context }) {
    await deleteMessage(context, actor, params.message_id);
    return {};
  },
});

const editMessageEndpoint = endpoint({
  id: 'update-message',
  method: 'PATCH',
  path: '/messages/{message_id}',
  source: 'protocol/editing#parameters',
  doc: "Edits a message's content, or moves it, alone or with others of its topic.",
  who: everyone,
  params: {
    message_id,
    topic: optional(alias(raw(text()), 'subject')),
    stream_id: optional(json(idOf<ChannelId>(), 'The channel to move to.')),
    content: optional(raw(text({ nul: 'allowed', max: MAX_MARKDOWN }))),
    propagate_mode: withDefault(raw(oneOf('change_one', 'change_later', 'change_all')), 'change_one'),
    send_notification_to_old_thread: withDefault(json(bool()), false),
    send_notification_to_new_thread: withDefault(json(bool()), true),
    prev_content_sha256: optional(raw(text(), 'SHA-256 of the content that is to be replaced, in hex.')),
  },
  returns: { detached_uploads: list(wireAttachment) },
  fails: [
    InvalidMessage,
    errors.EditingTurnedOff,
    errors.EditingRefused,
    errors.EditingTimePassed,
    errors.ChangedTooOften,
    errors.NothingToChange,
    errors.DirectIntoChannel,
    errors.DirectWithTopic,
    errors.PropagationWithoutMove,
    errors.UnnamedResolved,
    TopicCharacter,
    errors.ContentAndChannel,
    errors.WidgetFixed,
    ExpectationMismatch,
    MessageNullBytes,
    EmptyTopicRefused,
    EmptyTopicOnly,
    errors.ResolvingRefused,
    errors.TopicTimePassed,
    ...MENTION_ERRORS,
    errors.MovingRefused,
    InvalidChannelId,
    PostingRefused,
    NotAuthorizedToSend,
    errors.ChannelTimePassed,
    errors.PartlyMovable,
    errors.TopicMoveTimePassed,
    TopicCreationRefused,
    errors.MovedMeanwhile,
    errors.TooManyMoved,
  ],
  async run({ actor, params, context }) {
    const { detached } = await editMessage(context, actor, params);
    return { detached_uploads: detached.map((row) => toWireAttachment(row, [])) };
  },
});

export const messageEditEndpoints = [getHistory, editMessageEndpoint, deleteMessageEndpoint];
