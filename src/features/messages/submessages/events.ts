import { event } from '#kernel/events';
import type { MessageId, UserId } from '#kernel/ids';
import { idOf, int, str } from '#kernel/schema';

/** A part was added to a poll or a to-do list. See protocol/events#reaction-and-submessage. */
export const submessageAdded = event({
  type: 'submessage',
  source: 'protocol/events#reaction-and-submessage',
  payload: {
    msg_type: str(),
    content: str(),
    message_id: idOf<MessageId>(),
    sender_id: idOf<UserId>(),
    submessage_id: int(),
  },
  stale: 'register shows no single message',
});
