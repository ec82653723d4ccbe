import type { AuditRow } from '#kernel/audit';
import type { UserId } from '#kernel/ids';
import { idOf, int, json, nullable, object, oneOf, type SchemaOf, str } from '#kernel/schema';
import { parseJson } from '#kernel/text';

/** An entry of the audit log, in the API, in files and in syslog messages. See protocol/organizations#audit-log. */
export const wireEntry = object({
  /** Counts from 1 within the organization. */
  id: int(),
  /** Seconds since 1970. */
  timestamp: int(),
  /** For example `user.role`. */
  action: str(),
  actor: object({
    kind: oneOf('person', 'bot', 'command', 'server', 'nobody'),
    user_id: nullable(idOf<UserId>()),
  }),
  /** Name of the operation, page or command that made the change. */
  via: str(),
  address: str(),
  user_agent: str(),
  target: object({ kind: str(), id: nullable(int()), name: nullable(str()) }),
  before: json(),
  after: json(),
  /** SHA-256 in hex. */
  hash: str(),
});
type WireEntry = SchemaOf<typeof wireEntry>;

export function toWireEntry(row: AuditRow): WireEntry {
  return {
    id: row.sequence,
    timestamp: row.created_at,
    action: row.action,
    actor: { kind: row.actor_kind, user_id: row.actor_id },
    via: row.via,
    address: row.address,
    user_agent: row.user_agent,
    target: { kind: row.target_kind, id: row.target_id, name: row.target_name },
    before: valueOf(row.said_before),
    after: valueOf(row.said_after),
    hash: row.entry_hash,
  };
}

function valueOf(text: string | null): unknown {
  // `record` writes valid JSON. A damaged value must not hide other entries (security#holes, row 39); the doctor
  // command finds it.
  return text === null ? null : (parseJson(text) ?? null);
}
