import { anyOf, int, lenientObject, list, literal, maybe, refined, type Schema, str } from '#kernel/schema';

/** The app fetches the picture as it is, and finds the account by the other. */
const address = refined(str(), (text) => /^https?:$/.test(schemeOf(text)), 'not an address with a host');
const schemeOf = (text: string) => (URL.canParse(text) ? new URL(text).protocol : '');

const identity = { realm_url: address, realm_name: maybe(str()), user_id: int() };
const message = {
  ...identity,
  type: literal('message'),
  sender_id: int(),
  sender_avatar_url: address,
  sender_full_name: str(),
  message_id: int(),
  time: int(),
  content: str(),
};

/** What the app reads of a notification, once it has decrypted it. See protocol/push#delivery. */
export const NOTIFICATION: Schema = anyOf(
  lenientObject({ ...message, channel_id: int(), channel_name: maybe(str()), topic: str() }),
  lenientObject({ ...message, recipient_user_ids: list(int(), { min: 1 }) }),
  lenientObject({ ...identity, type: literal('remove'), message_ids: list(int(), { min: 1 }) }),
);
