import type { MessageId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Addresses that answers to mails about missed messages go to: one person, one conversation, until a day. */
export const replyAddress = table('reply_address', {
  realm_id: col.ref<RealmId>(),
  /** SHA-256, as hexadecimal digits: who reads the database can not write in anybody's name. */
  token_hash: col.text(),
  user_id: col.ref<UserId>(),
  /** A message of the conversation; answers go where it is by then. */
  message_id: col.ref<MessageId>(),
  /** Seconds since 1970. */
  expires_at: col.int(),
});
export type ReplyRow = SelectOf<typeof replyAddress>;

/** Accounts whose address mails came back from, as long as it is the address of the account. */
export const mailFailure = table('mail_failure', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  email: col.text(),
  /** Mails that were refused for good, one a day counted. */
  failures: col.int(),
  first_at: col.int(),
  last_at: col.int(),
  /** What was said the last time; at most 200 characters. */
  reason: col.text(),
});
export type MailFailureRow = SelectOf<typeof mailFailure>;

declare module '#kernel/store' {
  interface Tables {
    reply_address: RowOf<typeof replyAddress>;
    mail_failure: RowOf<typeof mailFailure>;
  }
}
