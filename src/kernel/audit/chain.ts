import { createHmac } from 'node:crypto';
import { sha256 } from '#kernel/secretbox';
import type { AuditRow } from './tables.ts';

/** Hash before the first entry. */
export const BEGINNING = '';

/** The hash of an entry: SHA-256 over its fields as a JSON list, that of the entry before first. Anybody can compute it. */
export function hashOfEntry(before: string, row: Omit<AuditRow, 'entry_hash' | 'seal'>): string {
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
  return sha256(JSON.stringify(fields));
}

/** The key of all seals, from the server's secret, which is not in the database. */
export function auditKeyOf(secret: string): string {
  return createHmac('sha256', secret).update('audit log').digest('hex');
}

/** A chain as of one of its entries. */
interface ChainPoint {
  readonly realm_id: AuditRow['realm_id'];
  readonly sequence: number;
  readonly hash: string;
}

/**
 * What only the server can sign about an entry: that it wrote the entry itself, or that it deleted all entries up to
 * it.
 */
export function sealOf(key: string, what: 'entry' | 'deleted', { realm_id, sequence, hash }: ChainPoint): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([what, realm_id, sequence, hash]))
    .digest('hex');
}
