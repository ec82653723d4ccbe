import { defineMigration } from '#kernel/store';

/** The messages of a conversation with their topics: what is unread is counted without looking at the messages. */
export const topicsOfConversations = defineMigration('2026-11-21T1535-topics-of-conversations', async (m) => {
  await m.run('create index message_recipient_id_id_topic on message (recipient_id, id, topic)');
  await m.run('drop index message_recipient_id_id');
});
