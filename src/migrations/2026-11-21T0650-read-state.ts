import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** What each reader has read, the rare flags, mentions of groups, what widgets are made of, and the search index. */
export const readState = defineMigration('2026-11-21T0650-read-state', async (m) => {
  await m.createTable(
    'read_interval',
    { id: { type: 'id' }, realm_id: int, user_id: int, recipient_id: int, first_id: int, last_id: int },
    { unique: [['user_id', 'recipient_id', 'first_id']], indexes: [['recipient_id', 'last_id']] },
  );
  await m.createTable(
    'message_flag',
    { realm_id: int, user_id: int, flag: text, message_id: int },
    { primaryKey: ['user_id', 'flag', 'message_id'], indexes: [['message_id', 'user_id']] },
  );
  await m.createTable(
    'submessage',
    { id: { type: 'id' }, realm_id: int, message_id: int, sender_id: int, msg_type: text, content: text },
    { indexes: [['message_id', 'id']] },
  );
  await m.createTable(
    'message_group_mention',
    { realm_id: int, message_id: int, group_id: int },
    { primaryKey: ['message_id', 'group_id'], indexes: [['group_id', 'message_id']] },
  );
  await m.run('create index message_of_everybody on message (realm_id, id) where mentions_channel');
  await m.byDialect({
    sqlite: [
      `create virtual table message_search using fts5(words, content='', contentless_delete=1,
        tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc Me'")`,
    ],
    postgres: [
      'create table message_search (message_id bigint primary key, words tsvector not null)',
      'create index message_search_words on message_search using gin (words)',
    ],
  });
});
