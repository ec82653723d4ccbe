import type { RealmId, UserId } from '#kernel/ids';
import { type Cause, col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Entries of the audit logs. No statement changes one; they go when they are too old, and with their organization. */
const auditEntry = table('audit_entry', {
  realm_id: col.ref<RealmId>(),
  /** 1, 2, 3 … in each organization. */
  sequence: col.int(),
  created_at: col.int(),
  action: col.text(),
  actor_kind: col.text<Cause['kind']>(),
  actor_id: col.refOrNull<UserId>(),
  via: col.text(),
  address: col.text(),
  user_agent: col.text(),
  target_kind: col.text(),
  target_id: col.intOrNull(),
  target_name: col.textOrNull(),
  /** JSON as text, exactly as it was hashed; null where there is no value. */
  said_before: col.textOrNull(),
  said_after: col.textOrNull(),
  /** SHA-256, in hex, of the hash before it and of all else. */
  entry_hash: col.text(),
  /** HMAC of the hash under a key from the server's secret; null for entries from before there were seals. */
  seal: col.textOrNull(),
});
export type AuditRow = SelectOf<typeof auditEntry>;

/** The end of each chain, and the lock under which it grows. */
const auditHead = table('audit_head', {
  realm_id: col.ref<RealmId>(),
  last_sequence: col.int(),
  last_hash: col.text(),
  /** The last entry that was deleted because of its age, with the server's seal for it. */
  deleted_sequence: col.intOrNull(),
  deleted_hash: col.textOrNull(),
  deleted_seal: col.textOrNull(),
});
export type AuditHeadRow = SelectOf<typeof auditHead>;

declare module '#kernel/store' {
  interface Tables {
    audit_entry: RowOf<typeof auditEntry>;
    audit_head: RowOf<typeof auditHead>;
  }
}
