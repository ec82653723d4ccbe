import { bool, idOf, nullable, object, oneOf, type SchemaOf, str, timestamp } from '#kernel/schema';
import type { UserId } from '#kernel/ids';
import type { DataExportId } from './tables.ts';

export const EXPORT_TYPES = ['public', 'full_with_consent', 'full_without_consent'] as const;
/** What an export contains. See protocol/organizations#exports. */
export const wireExportType = oneOf(...EXPORT_TYPES);
export type WireExportType = SchemaOf<typeof wireExportType>;

/** An export as clients see it. See protocol/organizations#exports. */
export const wireDataExport = object({
  id: idOf<DataExportId>(),
  acting_user_id: idOf<UserId>(),
  export_time: timestamp(),
  export_url: nullable(str()),
  deleted_timestamp: nullable(timestamp()),
  failed_timestamp: nullable(timestamp()),
  pending: bool(),
  export_type: wireExportType,
}).meta({ id: 'DataExport' });
export type WireDataExport = SchemaOf<typeof wireDataExport>;
