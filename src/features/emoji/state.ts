import { dict } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listEmoji } from './queries.ts';
import { toWireEmojiMap } from './to-wire.ts';
import { wireEmoji } from './wire.ts';

/** All custom emoji, deactivated ones included. Contract register 2.4. */
export const emojiState = registerState({
  fetchType: 'realm_emoji',
  eventTypes: ['realm_emoji'],
  sameFor: () => '',
  source: 'api 4.22, contract register 2.4',
  fields: { realm_emoji: dict(wireEmoji) },
  read: async ({ tx, realm }) => ({ realm_emoji: toWireEmojiMap(await listEmoji(tx, realm.id)) }),
});
