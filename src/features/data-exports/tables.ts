import type { Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type DataExportId = Id<'DataExport'>;

/**
 * Exports that administrators requested. An export is pending until one of `finished_at`, `failed_at` and `deleted_at`
 * is set.
 */
export const dataExport = table('data_export', {
  id: col.id<DataExportId>(),
  realm_id: col.ref<RealmId>(),
  acting_user_id: col.ref<UserId>(),
  /** A type as in the API. */
  export_type: col.text(),
  requested_at: col.int(),
  finished_at: col.intOrNull(),
  failed_at: col.intOrNull(),
  deleted_at: col.intOrNull(),
  /** Key of the archive in the file store, once it is complete. */
  file_key: col.textOrNull(),
});
export type DataExportRow = SelectOf<typeof dataExport>;

declare module '#kernel/store' {
  interface Tables {
    data_export: RowOf<typeof dataExport>;
  }
}
