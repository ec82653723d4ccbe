import type { RealmRef } from '#kernel/auth';
import { addressOf } from './names.ts';
import type { DataExportRow } from './tables.ts';
import { EXPORT_TYPES, type WireDataExport, type WireExportType } from './wire.ts';

export function toWireDataExport(realm: RealmRef, row: DataExportRow): WireDataExport {
  const { id, acting_user_id, requested_at, deleted_at, failed_at } = row;
  const isThere = row.file_key !== null && deleted_at === null;
  return {
    id,
    acting_user_id,
    export_time: requested_at,
    export_url: isThere ? addressOf(realm.url, realm.subdomain, id) : null,
    deleted_timestamp: deleted_at,
    failed_timestamp: failed_at,
    pending: isPending(row),
    export_type: typeOf(row),
  };
}

/** Whether the export is running or waits to run. */
export function isPending({ finished_at, failed_at, deleted_at }: DataExportRow): boolean {
  return finished_at === null && failed_at === null && deleted_at === null;
}

export function typeOf({ export_type }: DataExportRow): WireExportType {
  return EXPORT_TYPES.find((type) => type === export_type) ?? 'public';
}
