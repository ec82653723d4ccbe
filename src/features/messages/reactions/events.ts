import { madeUpEmail, UNKNOWN_NAME } from '#features/users';
import { event, type Hidden } from '#kernel/events';
import type { MessageId, UserId } from '#kernel/ids';
import { idOf, object, str } from '#kernel/schema';

const payload = {
  message_id: idOf<MessageId>(),
  user_id: idOf<UserId>(),
  // A deployed client reads it (decision 7).
  user: object({ user_id: idOf<UserId>(), email: str(), full_name: str() }),
  emoji_name: str(),
  emoji_code: str(),
  reaction_type: str(),
};

type Reaction = { readonly user_id: UserId; readonly user: object };

/** Readers who may not know of the one who reacted get an unknown user. Contract register 4.3. */
const declaration = {
  type: 'reaction',
  source: 'contract register 4.4.2',
  payload,
  variesByViewer: ['hidden'],
  wire: (reaction: Reaction, { hidden }: { hidden: Hidden | undefined }) => {
    const { user_id } = reaction;
    if (!hidden?.has(user_id)) return [reaction];
    return [{ ...reaction, user: { user_id, email: madeUpEmail(user_id, hidden.host), full_name: UNKNOWN_NAME } }];
  },
} as const;

/** Somebody reacted to a message. Contract register 4.4.2. */
export const reactionAdded = event({ ...declaration, op: 'add' });

/** Somebody took a reaction back. Contract register 4.4.2. */
export const reactionRemoved = event({ ...declaration, op: 'remove' });
