import { accessHeads } from '#features/messages';
import type { CallerReadTx } from '#kernel/auth';
import { html } from '#kernel/html';
import { listReminders } from './queries.ts';
import type { ReminderRow } from './tables.ts';
import { GONE, goneText } from './text.ts';
import { toWireReminder, type WireReminder } from './wire.ts';

/**
 * The caller's reminders that were not delivered yet. What a message said is shown only as long as the caller may read
 * it. See protocol/saved#reminders.
 */
export async function listWireReminders(tx: CallerReadTx): Promise<WireReminder[]> {
  const rows = tx.actor ? await listReminders(tx, tx.actor.userId) : [];
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map((row) => row.message_id))];
  const readable = new Set((await accessHeads(tx, ids)).map(({ id }) => id));
  return rows.map((row) => toWireReminder(readable.has(row.message_id) ? row : withoutMessage(row)));
}

function withoutMessage(row: ReminderRow): ReminderRow {
  const { note } = row;
  const quote = note === '' ? html`` : html`\n<p>Note:</p>\n<blockquote>\n<p>${note}</p>\n</blockquote>`;
  return { ...row, content: goneText(note), rendered_content: html`<p>${GONE}</p>${quote}`.toString() };
}
