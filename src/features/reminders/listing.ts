import { accessHeads } from '#features/messages';
import type { CallerReadTx, RealmRef } from '#kernel/auth';
import { html } from '#kernel/html';
import { listReminders } from './queries.ts';
import type { ReminderRow } from './tables.ts';
import { goneText } from './text.ts';
import { toWireReminder, type WireReminder } from './wire.ts';
import { wordsOf } from './words.ts';

/**
 * The caller's reminders that were not delivered yet. What a message said is shown only as long as the caller may read
 * it. See protocol/saved#reminders.
 */
export async function listWireReminders(tx: CallerReadTx): Promise<WireReminder[]> {
  const rows = tx.actor ? await listReminders(tx, tx.actor.userId) : [];
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map((row) => row.message_id))];
  const readable = new Set((await accessHeads(tx, ids)).map(({ id }) => id));
  return rows.map((row) => toWireReminder(readable.has(row.message_id) ? row : withoutMessage(tx.realm, row)));
}

function withoutMessage(realm: RealmRef, row: ReminderRow): ReminderRow {
  const { note } = row;
  const words = wordsOf(realm);
  const quote = note === '' ? html`` : html`\n<p>${words.note}</p>\n<blockquote>\n<p>${note}</p>\n</blockquote>`;
  return { ...row, content: goneText(realm, note), rendered_content: html`<p>${words.gone}</p>${quote}`.toString() };
}
