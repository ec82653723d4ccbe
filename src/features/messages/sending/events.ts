import { event } from '#kernel/events';
import { narrowAdmits, toSeenMessage } from '../core/index.ts';
import { fullMessage, wireMessage } from '../wire.ts';

/** A message was sent. See protocol/events#message. */
export const messageSent = event({
  type: 'message',
  source: 'protocol/events#message',
  payload: { message: fullMessage },
  forms: [{ message: wireMessage }],
  variesBy: ['apply_markdown', 'client_gravatar', 'empty_topic_name'],
  variesByViewer: ['hidden'],
  wire: ({ message }, { hidden, ...view }) => [{ message: toSeenMessage(message, view, hidden) }],
  flagged: true,
  admits: ({ message }, narrow, flags) => narrowAdmits(message, narrow, flags),
});
