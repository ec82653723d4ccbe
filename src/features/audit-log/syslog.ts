import type { AuditRow } from '#kernel/audit';
import { toWireEntry } from './wire.ts';

/** Facility 13 (log audit) and severity 5 (notice): RFC 5424, 6.2.1. */
const PRIORITY = 13 * 8 + 5;
/** Longest message in bytes, including structured data; the least that receivers of RFC 5424 commonly accept. */
const MAX_BYTES = 8192;

/** Formats an entry as an RFC 5424 message: header, the entry's number as structured data, and the entry as JSON. */
export function syslogMessage(row: AuditRow, host: string): string {
  const time = new Date(row.created_at * 1000).toISOString();
  const data = `[roost@32473 realm="${row.realm_id}" entry="${row.sequence}" hash="${row.entry_hash}"]`;
  const head = `<${PRIORITY}>1 ${time} ${hostName(host)} roost - ${messageId(row.action)} ${data} `;
  const { before, after, ...rest } = toWireEntry(row);
  const whole = head + JSON.stringify({ ...rest, before, after });
  return Buffer.byteLength(whole) <= MAX_BYTES ? whole : head + JSON.stringify({ ...rest, cut: true });
}

/** Prefixes a message with its length, so that receivers do not split it at line ends (RFC 6587, 3.4.1). */
export function framed(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`;
}

/** A header may only have printable ASCII without spaces. */
function hostName(host: string): string {
  return host.replaceAll(/[^!-~]/g, '').slice(0, 255) || '-';
}

function messageId(action: string): string {
  return action.replaceAll(/[^!-~]/g, '').slice(0, 32) || '-';
}
