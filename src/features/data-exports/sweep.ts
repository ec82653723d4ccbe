import { repeat, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import type { Files } from '#kernel/files';
import { spoolOf } from './jobs.ts';
import { ALL_EXPORTS } from './names.ts';
import { knownKeys } from './queries.ts';

/** Milliseconds between two sweeps. */
const EVERY_MS = 3_600_000;
/** Milliseconds for which an unknown file is left alone: an export that is running may have written it. */
const ORPHAN_MS = SECONDS_PER_DAY * 1000;
const BATCH = 200;

/** Removes what crashed exports left behind: temporary files on this machine, and archives that no export refers to. */
export async function sweepExports(context: Context): Promise<void> {
  const before = context.clock.nowMs() - ORPHAN_MS;
  const spool = await spoolOf(context);
  for await (const key of olderThan(spool, '', before)) await spool.remove(key);
  await spool.sweepUnfinished(before);
  let batch: string[] = [];
  for await (const key of olderThan(context.files, ALL_EXPORTS, before)) {
    batch.push(key);
    if (batch.length < BATCH) continue;
    await removeUnknown(context, batch);
    batch = [];
  }
  await removeUnknown(context, batch);
}

/** Sweeps regularly while the server runs. Several processes may sweep at once. */
export function sweepRegularly(context: Context): () => Promise<void> {
  const failed = (error: unknown) => context.log.room('exports').warn({ err: error }, 'exports could not be swept');
  return repeat(context.clock, () => sweepExports(context), { everyMs: EVERY_MS, failed });
}

async function* olderThan(files: Files, prefix: string, beforeMs: number): AsyncGenerator<string> {
  for await (const { key, storedAtMs } of files.list(prefix)) if (storedAtMs <= beforeMs) yield key;
}

async function removeUnknown(context: Context, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const known = await context.store.query((tx) => knownKeys(tx, keys));
  for (const key of keys) if (!known.has(key)) await context.files.remove(key);
}
