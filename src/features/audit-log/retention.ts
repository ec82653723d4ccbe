import { deleteOldEntries } from '#kernel/audit';
import { repeat, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { listRealms, settingsOf } from '#features/realms';

/** Milliseconds between two sweeps. */
const EVERY_MS = 3_600_000;

/** Deletes entries that are older than their organization's retention period. See protocol/organizations#audit-log. */
export async function deleteOld(context: Context): Promise<void> {
  const realms = await context.store.query((tx) => listRealms(tx));
  for (const row of realms) {
    const { audit_log_retention_days: days } = settingsOf(row);
    if (days === 0) continue;
    const before = context.clock.now() - days * SECONDS_PER_DAY;
    while (await context.store.of(row.id).write((tx) => deleteOldEntries(tx, before)));
  }
}

/** Sweeps regularly, in every process: a second sweep finds nothing. */
export function deleteRegularly(context: Context): () => Promise<void> {
  const failed = (error: unknown) =>
    context.log.room('audit-log').warn({ err: error }, 'old entries could not be deleted');
  return repeat(context.clock, () => deleteOld(context), { everyMs: EVERY_MS, firstMs: EVERY_MS, failed });
}
