import { createHash } from 'node:crypto';
import type { AuditRow } from './tables.ts';

/** Hash before the first entry. */
export const BEGINNING = '';

/** The hash of an entry: SHA-256 over its fields as a JSON list, that of the entry before first. Anybody can compute it. */
export function hashOfEntry(before: string, row: Omit<AuditRow, 'entry_hash'>): string {
  const fields = [
    before,
    row.realm_id,
    row.sequence,
    row.created_at,
    row.action,
    row.actor_kind,
    row.actor_id,
    row.via,
    row.address,
    row.user_agent,
    row.target_kind,
    row.target_id,
    row.target_name,
    row.said_before,
    row.said_after,
  ];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
