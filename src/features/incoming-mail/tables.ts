import type { RealmId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';

/** Mails that became messages, so that one that is handed over twice becomes one. */
export const receivedMail = table('received_mail', {
  realm_id: col.ref<RealmId>(),
  /** SHA-256 of the address and the Message-ID, as hexadecimal digits. */
  mail_hash: col.text(),
  received_at: col.int(),
});

declare module '#kernel/store' {
  interface Tables {
    received_mail: RowOf<typeof receivedMail>;
  }
}
