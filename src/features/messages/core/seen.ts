import { madeUpEmail, UNKNOWN_AVATAR, UNKNOWN_NAME } from '#features/users';
import type { Hidden } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { type FullMessage, type MessageForm, toWireMessage, type WireMessage } from '../wire.ts';

/**
 * A message in the form that a client asked for, for a reader who may not know of everybody. See protocol/events#forms.
 */
export function toSeenMessage(message: FullMessage, form: MessageForm, hidden: Hidden | undefined): WireMessage {
  const shown = toWireMessage(message, form);
  if (!hidden) return shown;
  const { display_recipient, reactions } = shown;
  return {
    ...shown,
    reactions: reactions.map((one) =>
      hidden.has(one.user_id) ? { ...one, user: { ...one.user, ...unknown(one.user_id, hidden) } } : one,
    ),
    ...(hidden.has(message.sender_id) && unknownSender(message.sender_id, hidden)),
    ...(typeof display_recipient !== 'string' && {
      display_recipient: display_recipient.map((one) =>
        hidden.has(one.id) ? { ...one, ...unknown(one.id, hidden) } : one,
      ),
    }),
  };
}

function unknownSender(id: UserId, hidden: Hidden) {
  const { email, full_name } = unknown(id, hidden);
  return { sender_email: email, sender_full_name: full_name, avatar_url: UNKNOWN_AVATAR };
}

function unknown(id: UserId, { host }: Hidden) {
  return { email: madeUpEmail(id, host), full_name: UNKNOWN_NAME };
}
