import { join } from 'node:path';
import type { Context } from '#kernel/context';
import { lockLog } from '#kernel/events';
import { type Files, openFiles } from '#kernel/files';
import { defineJob, enqueue, type JobContext, type JobKind } from '#kernel/jobs';
import { type ExportType, writeExport } from '#features/exports';
import { queueDirectNotices } from '#features/notices';
import { loadRealm, withRealm } from '#features/realms';
import { announce } from './announce.ts';
import { exportKey, nameOf } from './names.ts';
import { packTo } from './pack.ts';
import { findPending, setDataExport } from './queries.ts';
import type { DataExportRow } from './tables.ts';
import { toWireDataExport, typeOf } from './to-wire.ts';
import type { WireExportType } from './wire.ts';
import { wordsOf } from './words.ts';

type ExportJob = JobContext<Context>;

/** Attempts at an export before it counts as failed: one that crashes the process must not do so forever. */
const MAX_TRIES = 3;
const TYPES: Readonly<Record<WireExportType, ExportType>> = {
  public: 'public',
  full_with_consent: 'consenting',
  full_without_consent: 'full',
};

/** Deletes the file of a deleted export. */
export const deleteExportFile = defineJob<{ key: string }, Context>('delete-data-export', ({ key }, { context }) =>
  context.files.remove(key),
);

/**
 * Runs an organization's pending exports one after another: the oldest, and then enqueues itself if there are more. An
 * export that was interrupted starts again. See protocol/organizations#exports.
 */
export const dataExportJob: JobKind<Record<never, never>, Context> = defineJob(
  'data-export',
  async (_payload, job) => {
    const row = await job.context.store.of(job.realmId).query((tx) => findPending(tx));
    if (!row) return;
    if (job.attempts >= MAX_TRIES) return end(job, row, undefined);
    const key = exportKey(row.realm_id, row.id, job.context.clock.token(24));
    try {
      await make(job, row, key);
      await end(job, row, key);
    } catch (error) {
      await job.context.files.remove(key).catch(() => undefined);
      throw error;
    }
  },
  'exports',
);

/** The folder of this machine for temporary files, whose size must be known before they go into an archive. */
export function spoolOf({ server, clock }: Pick<Context, 'server' | 'clock'>): Promise<Files> {
  return openFiles(join(server.spoolDir, 'exports'), { clock });
}

async function make({ context, keep }: ExportJob, row: DataExportRow, key: string): Promise<void> {
  const realm = await loadRealm(context, row.realm_id);
  const spool = await spoolOf(context);
  const place = {
    to: context.files,
    key,
    spool,
    spoolKey: key,
    root: nameOf(realm.subdomain, row.id),
    time: context.clock.now(),
    step: keep,
  };
  try {
    await packTo(place, (archive) =>
      writeExport(context, archive, { realmId: row.realm_id, type: TYPES[typeOf(row)] }),
    );
  } finally {
    for await (const { key: left } of spool.list(key)) await spool.remove(left);
  }
}

/**
 * Stores how the export ended, and informs administrators and the person who requested it. Without a key it has failed.
 */
async function end(
  { context, realmId, finish }: ExportJob,
  row: DataExportRow,
  key: string | undefined,
): Promise<void> {
  await context.store.of(realmId).write(async (tx) => {
    await lockLog(tx);
    await finish(tx);
    const values = key === undefined ? { failed_at: tx.now } : { finished_at: tx.now, file_key: key };
    await setDataExport(tx, row, values);
    const own = await withRealm(context, tx);
    await announce(own);
    const { export_url } = toWireDataExport(own.realm, { ...row, file_key: key ?? null });
    const words = wordsOf(own.realm);
    const content = export_url === null ? words.failed : words.ready(export_url);
    await queueDirectNotices(tx, [{ userId: row.acting_user_id, content }]);
    if (await findPending(tx)) await enqueue(tx, dataExportJob, {}, { key: 'exports' });
  });
}
