import { defineMigration } from '#kernel/store';

/** Which emoji a message has is found without reading who reacted with them, which may be hundreds of thousands. */
export const emojiOfMessages = defineMigration('2026-11-30T1610-emoji-of-messages', (m) =>
  m.createIndex('reaction', ['message_id', 'reaction_type', 'emoji_code']),
);
