import { endpoint, everyone, json, raw } from '#kernel/endpoint';
import type { MessageId } from '#kernel/ids';
import { idOf, oneOf, text } from '#kernel/schema';
import { InvalidMessage, WidgetInvalid } from '../core/index.ts';
import { addSubmessage } from './actions.ts';
import { SubmessageNotJson, SubmessageRefused, TooManyParts, WidgetDataInvalid } from './errors.ts';

/** Longest part, in code points; as long as a message. */
const MAX_SUBMESSAGE = 10_000;

export const addSubmessageEndpoint = endpoint({
  id: 'add-submessage',
  method: 'POST',
  path: '/submessage',
  source: 'protocol/reactions#submessages',
  doc: 'Votes in a poll, adds to a to-do list, and the like.',
  who: everyone,
  params: {
    message_id: json(idOf<MessageId>()),
    msg_type: raw(oneOf('widget')),
    content: raw(text({ max: MAX_SUBMESSAGE }), 'JSON.'),
  },
  returns: {},
  fails: [InvalidMessage, SubmessageRefused, SubmessageNotJson, WidgetInvalid, WidgetDataInvalid, TooManyParts],
  async run({ actor, params, context }) {
    await addSubmessage(context, actor, params);
    return {};
  },
});
