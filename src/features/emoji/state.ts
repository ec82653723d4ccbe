import { dict } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listEmoji } from './queries.ts';
import { toWireEmojiMap } from './to-wire.ts';
import { wireEmoji } from './wire.ts';

/** All custom emoji, deactivated ones included. See protocol/emoji#custom-emoji. */
export const emojiState = registerState({
  fetchType: 'realm_emoji',
  sameFor: () => '',
  source: 'protocol/emoji#custom-emoji',
  fields: { realm_emoji: dict(wireEmoji) },
  read: async ({ tx }) => ({ realm_emoji: toWireEmojiMap(await listEmoji(tx)) }),
});
