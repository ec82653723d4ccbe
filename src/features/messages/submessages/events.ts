import { event } from '#kernel/events';
import type { MessageId, UserId } from '#kernel/ids';
import { idOf, int, str } from '#kernel/schema';

/** A part was added to a poll or a to-do list. Contract register 4.4.2. */
export const submessageAdded = event({
  type: 'submessage',
  source: 'contract register 4.4.2',
  payload: {
    msg_type: str(),
    content: str(),
    message_id: idOf<MessageId>(),
    sender_id: idOf<UserId>(),
    submessage_id: int(),
  },
});
