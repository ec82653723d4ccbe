import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Reactions to messages, and what people follow or mute. */
export const reactionsAndTopics = defineMigration('2026-11-21T0715-reactions-and-topics', async (m) => {
  await m.createTable(
    'reaction',
    {
      id: { type: 'id' },
      realm_id: int,
      message_id: int,
      user_id: int,
      emoji_name: text,
      emoji_code: text,
      reaction_type: text,
    },
    { unique: [['message_id', 'user_id', 'reaction_type', 'emoji_code']] },
  );
  await m.createTable(
    'user_topic',
    {
      realm_id: int,
      user_id: int,
      channel_id: int,
      topic: text,
      topic_key: text,
      visibility_policy: int,
      last_updated: int,
    },
    { primaryKey: ['user_id', 'channel_id', 'topic_key'], indexes: [['channel_id', 'topic_key']] },
  );
});
