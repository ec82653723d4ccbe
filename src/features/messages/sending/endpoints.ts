import { findUser } from '#features/users';
import { alias, endpoint, everyone, json, optional, raw } from '#kernel/endpoint';
import { invariant, QueryNotAuthorized } from '#kernel/errors';
import type { MessageId } from '#kernel/ids';
import { amount, bool, idOf, maybe, oneOf, oneOfNumbers, MAX_MARKDOWN, str, text } from '#kernel/schema';
import { cutContent, messageErrors as errors, UnableToRender } from '../core/index.ts';
import { channelEmailEndpoint } from './channel-email.ts';
import { isInteractive } from './clients.ts';
import { renderContent } from './render.ts';
import { sendMessage } from './send.ts';

/**
 * Throws when a request asks to send for somebody else: no client may. See protocol/messages#parameters, sender and
 * forged.
 */
function assertOwnVoice({
  forged,
  sender,
}: {
  readonly forged: string | undefined;
  readonly sender: string | undefined;
}) {
  if (forged === 'yes' || forged === 'true') throw QueryNotAuthorized();
  if (sender !== undefined) throw errors.InvalidMirroredMessage();
}

/** Longest idempotency key, in characters. */
const MAX_KEY = 255;

const sendMessageEndpoint = endpoint({
  id: 'send-message',
  method: 'POST',
  path: '/messages',
  source: 'protocol/messages#parameters',
  doc: "Sends a message to a channel's topic or to people.",
  who: everyone,
  webhookBots: true,
  params: {
    type: raw(oneOf('direct', 'private', 'channel', 'stream')),
    to: optional(raw(text())),
    topic: optional(alias(raw(text()), 'subject')),
    content: raw(text({ nul: 'allowed', max: MAX_MARKDOWN })),
    queue_id: optional(raw(text())),
    local_id: optional(raw(text())),
    idempotency_key: optional(raw(text({ max: MAX_KEY }))),
    read_by_sender: optional(json(bool(), 'Whether the sender has read it; by default when a person typed it.')),
    widget_content: optional(raw(text(), 'A form with buttons (zform), as JSON; for bots.')),
    sender: optional(raw(text(), 'For servers that mirror other networks; refused.')),
    forged: optional(raw(text(), 'For servers that mirror other networks; refused.')),
    time: optional(json(amount(), 'For servers that mirror other networks; not used.')),
  },
  returns: {
    id: idOf<MessageId>(),
    automatic_new_visibility_policy: maybe(oneOfNumbers(2, 3)),
  },
  fails: [
    errors.MessageEmpty,
    errors.MessageNullBytes,
    errors.MissingTopic,
    errors.MissingChannel,
    errors.OneChannelExpected,
    errors.InvalidChannelData,
    errors.InvalidRecipientData,
    errors.RecipientsMissing,
    errors.RecipientsMixed,
    errors.InvalidRecipientEmail,
    errors.InvalidRecipientId,
    errors.RecipientDeactivated,
    errors.TopicCharacter,
    errors.ChannelNameMissing,
    errors.ChannelIdMissing,
    errors.PostingRefused,
    errors.NotAuthorizedToSend,
    errors.TopicCreationRefused,
    errors.EmptyTopicRefused,
    errors.EmptyTopicOnly,
    errors.RecipientInaccessible,
    errors.DirectMessagesDisabled,
    errors.DirectMessagesUnauthorized,
    errors.InitiationRefused,
    errors.WidgetNotJson,
    errors.WidgetInvalid,
    ...errors.MENTION_ERRORS,
    QueryNotAuthorized,
    errors.InvalidMirroredMessage,
  ],
  async run({ actor, params, context, request }) {
    assertOwnVoice(params);
    const read_by_sender = params.read_by_sender ?? isInteractive(request.client);
    const { id, policy } = await sendMessage(context, actor, { ...params, read_by_sender });
    return { id, ...(policy && { automatic_new_visibility_policy: policy }) };
  },
});

const renderMessageEndpoint = endpoint({
  id: 'render-message',
  method: 'POST',
  path: '/messages/render',
  source: 'protocol/messages#rendering-a-text',
  doc: 'Renders Markdown as a message would show it, without sending it.',
  who: everyone,
  params: { content: raw(text({ max: MAX_MARKDOWN })) },
  returns: { rendered: str() },
  fails: [UnableToRender],
  async run({ actor, realm, params, context }) {
    const author = await context.store.in(realm).query((tx) => findUser(tx, actor.userId));
    invariant(author, 'the actor has an account');
    const { html } = await renderContent(context, actor, { author, content: cutContent(params.content) });
    return { rendered: html };
  },
});

export const sendEndpoints = [sendMessageEndpoint, renderMessageEndpoint, channelEmailEndpoint];
