import { madeUpEmail, UNKNOWN_NAME } from '#features/users';
import { event, type Hidden } from '#kernel/events';
import type { MessageId, UserId } from '#kernel/ids';
import { idOf, object, str } from '#kernel/schema';

const payload = {
  message_id: idOf<MessageId>(),
  user_id: idOf<UserId>(),
  // A deployed client reads this member (protocol/messages#message-object).
  user: object({ user_id: idOf<UserId>(), email: str(), full_name: str() }),
  emoji_name: str(),
  emoji_code: str(),
  reaction_type: str(),
};

type Reaction = { readonly user_id: UserId; readonly user: object };

/** Readers who may not know of the user who reacted get an unknown user. See protocol/events#forms. */
const declaration = {
  type: 'reaction',
  source: 'protocol/events#reaction-and-submessage',
  payload,
  variesByViewer: ['hidden'],
  stale: 'register shows no single message',
  wire: (reaction: Reaction, { hidden }: { hidden: Hidden | undefined }) => {
    const { user_id } = reaction;
    if (!hidden?.has(user_id)) return [reaction];
    return [{ ...reaction, user: { user_id, email: madeUpEmail(user_id, hidden.host), full_name: UNKNOWN_NAME } }];
  },
} as const;

/** Somebody reacted to a message. See protocol/events#reaction-and-submessage. */
export const reactionAdded = event({ ...declaration, op: 'add' });

/** Somebody took a reaction back. See protocol/events#reaction-and-submessage. */
export const reactionRemoved = event({ ...declaration, op: 'remove' });

export const reactionEvents = [reactionAdded, reactionRemoved];
