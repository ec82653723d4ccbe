import type { RealmId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';

/** Hashes of mails that became messages, so that a mail that is delivered twice is posted once. */
export const receivedMail = table('received_mail', {
  realm_id: col.ref<RealmId>(),
  /** SHA-256 of the address and the Message-ID (of the whole mail if it has none), in hex. */
  mail_hash: col.text(),
  received_at: col.int(),
});

declare module '#kernel/store' {
  interface Tables {
    received_mail: RowOf<typeof receivedMail>;
  }
}
