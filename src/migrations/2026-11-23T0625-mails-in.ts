import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Addresses that answers to mails go to, mails that came in, and addresses that mails come back from. */
export const mailsIn = defineMigration('2026-11-23T0625-mails-in', async (m) => {
  await m.createTable(
    'reply_address',
    { realm_id: int, token_hash: text, user_id: int, message_id: int, expires_at: int },
    { primaryKey: ['realm_id', 'token_hash'], indexes: [['realm_id', 'user_id'], ['expires_at']] },
  );
  await m.createTable(
    'received_mail',
    { realm_id: int, mail_hash: text, received_at: int },
    { primaryKey: ['realm_id', 'mail_hash'], indexes: [['received_at']] },
  );
  await m.createTable(
    'mail_failure',
    { realm_id: int, user_id: int, email: text, failures: int, first_at: int, last_at: int, reason: text },
    { primaryKey: ['user_id'], indexes: [['realm_id']] },
  );
});
