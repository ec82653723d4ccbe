import type { RealmId } from '#kernel/ids';
import type { DataExportId } from './tables.ts';

const ROOT = 'exports/';

/** Folder of an organization's exports in the files room. */
export const exportsFolder = (realmId: RealmId): string => `${ROOT}${realmId}/`;
/** Folder of all organizations' exports. */
export const ALL_EXPORTS = ROOT;

/** Key of an export's file, which differs for each attempt so that two never write the same. */
export function exportKey(realmId: RealmId, id: DataExportId, token: string): string {
  return `${exportsFolder(realmId)}${id}/${token}.tar.gz`;
}

/** Name of the downloaded file, and of the folder in it. */
export function nameOf(subdomain: string, id: DataExportId): string {
  return `${subdomain === '' ? 'roost' : subdomain}-export-${id}`;
}

/** Address from which administrators download an export. See protocol/organizations#exports. */
export function addressOf(realmUrl: string, subdomain: string, id: DataExportId): string {
  return `${realmUrl}/data_exports/${id}/${encodeURIComponent(nameOf(subdomain, id))}.tar.gz`;
}
