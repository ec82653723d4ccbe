import { defineMigration } from '#kernel/store';

/** Mentions of everybody by conversation: a reader's own are found without looking at everybody else's. */
export const mentionsInConversations = defineMigration('2026-11-21T1530-mentions-in-conversations', async (m) => {
  await m.run('drop index message_of_everybody');
  await m.run('create index message_of_everybody on message (recipient_id, id) where mentions_channel');
});
