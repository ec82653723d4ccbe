import { record } from '#kernel/audit';
import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { lockLog } from '#kernel/events';
import { enqueue } from '#kernel/jobs';
import type { RealmReadTx } from '#kernel/store';
import { readUsage } from '#features/uploads';
import { announce } from './announce.ts';
import * as errors from './errors.ts';
import { dataExportJob, deleteExportFile } from './jobs.ts';
import { countSince, findDataExport, hasMoreMessages, insertDataExport, setDataExport } from './queries.ts';
import type { DataExportId } from './tables.ts';
import { isPending } from './to-wire.ts';
import type { WireExportType } from './wire.ts';

/** Exports that an organization may request within the period. See protocol/organizations#exports. */
const MAX_EXPORTS = 5;
const PERIOD_SECONDS = 7 * SECONDS_PER_DAY;
/** Larger organizations are exported by the operator. */
const MAX_MESSAGES = 250_000;
const MAX_UPLOADED_BYTES = 20 * 2 ** 30;

/** Requests an export, which runs in the background. See protocol/organizations#exports. */
export async function addDataExport(context: Context, actor: Actor, type: WireExportType): Promise<DataExportId> {
  if (type === 'full_without_consent') throw errors.ConsentNeeded();
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    if ((await countSince(tx, tx.now - PERIOD_SECONDS)) >= MAX_EXPORTS) throw errors.TooManyExports();
    await assertFits(context, tx);
    const id = await insertDataExport(tx, { realm_id: actor.realmId, acting_user_id: actor.userId, export_type: type });
    record(tx, { action: 'export.made', target: { kind: 'export', id }, after: { export_type: type } });
    await announce(tx);
    await enqueue(tx, dataExportJob, {}, { key: 'exports', unlessWaiting: true });
    return id;
  });
}

async function assertFits(context: Context, tx: RealmReadTx): Promise<void> {
  const isLarge = (await readUsage(tx)) > MAX_UPLOADED_BYTES || (await hasMoreMessages(tx, MAX_MESSAGES));
  if (isLarge) throw errors.TooLarge({ mail: context.server.supportAddress ?? 'the operator of this server' });
}

/** Deletes the file of an export and marks its row as deleted. See protocol/organizations#exports. */
export async function removeDataExport(context: Context, realm: RealmRef, id: DataExportId): Promise<void> {
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const row = await findDataExport(tx, id);
    if (!row) throw errors.InvalidExport();
    if (row.deleted_at !== null) throw errors.ExportDeleted();
    if (row.failed_at !== null) throw errors.ExportFailed();
    if (isPending(row)) throw errors.ExportPending();
    await setDataExport(tx, row, { deleted_at: tx.now, file_key: null });
    record(tx, { action: 'export.deleted', target: { kind: 'export', id } });
    if (row.file_key !== null) await enqueue(tx, deleteExportFile, { key: row.file_key });
    await announce(tx);
  });
}
