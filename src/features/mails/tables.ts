import type { MessageId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Reply addresses in mails about missed messages: each for one person and one conversation, until they expire. */
export const replyAddress = table('reply_address', {
  realm_id: col.ref<RealmId>(),
  /** SHA-256 in hex, so that nobody who reads the database can write in a person's name. */
  token_hash: col.text(),
  user_id: col.ref<UserId>(),
  /** A message of the conversation; answers go to the place that it has by then. */
  message_id: col.ref<MessageId>(),
  /** Seconds since 1970. */
  expires_at: col.int(),
});
export type ReplyRow = SelectOf<typeof replyAddress>;

/** Accounts whose address returned mails; a row is valid while this is the account's address. */
export const mailFailure = table('mail_failure', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  email: col.text(),
  /** Permanent failures; at most one a day counts. */
  failures: col.int(),
  first_at: col.int(),
  last_at: col.int(),
  /** The last error message; at most 200 characters. */
  reason: col.text(),
});
export type MailFailureRow = SelectOf<typeof mailFailure>;

declare module '#kernel/store' {
  interface Tables {
    reply_address: RowOf<typeof replyAddress>;
    mail_failure: RowOf<typeof mailFailure>;
  }
}
