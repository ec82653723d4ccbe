import type { AuditRow } from '#kernel/audit';
import { toWireEntry } from './wire.ts';

/** Facility 13 (log audit) and severity 5 (notice): RFC 5424, 6.2.1. */
const PRIORITY = 13 * 8 + 5;
/** Longest message in bytes, structured data and all: what receivers of RFC 5424 commonly take at least. */
const MAX_BYTES = 8192;

/** A line as RFC 5424 writes it: header, the number of the entry as structured data, and the entry as JSON. */
export function syslogMessage(row: AuditRow, host: string): string {
  const time = new Date(row.created_at * 1000).toISOString();
  const data = `[roost@32473 realm="${row.realm_id}" entry="${row.sequence}" hash="${row.entry_hash}"]`;
  const head = `<${PRIORITY}>1 ${time} ${hostName(host)} roost - ${messageId(row.action)} ${data} `;
  const { before, after, ...rest } = toWireEntry(row);
  const whole = head + JSON.stringify({ ...rest, before, after });
  return Buffer.byteLength(whole) <= MAX_BYTES ? whole : head + JSON.stringify({ ...rest, cut: true });
}

/** Frames a message by its length, so that no receiver looks for line ends (RFC 6587, 3.4.1). */
export function framed(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`;
}

/** What a header may hold: printable ASCII without spaces. */
function hostName(host: string): string {
  return host.replaceAll(/[^!-~]/g, '').slice(0, 255) || '-';
}

function messageId(action: string): string {
  return action.replaceAll(/[^!-~]/g, '').slice(0, 32) || '-';
}
