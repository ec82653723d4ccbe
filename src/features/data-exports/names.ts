import type { RealmId } from '#kernel/ids';
import type { DataExportId } from './tables.ts';

const ROOT = 'exports/';

/** Folder of an organization's exports in the files room. */
export const exportsFolder = (realmId: RealmId): string => `${ROOT}${realmId}/`;
/** Folder of all of them. */
export const ALL_EXPORTS = ROOT;

/** Key of the bytes of one run: two runs of one export never write the same. */
export function exportKey(realmId: RealmId, id: DataExportId, token: string): string {
  return `${exportsFolder(realmId)}${id}/${token}.tar.gz`;
}

/** What the file is called where it is saved; the folder in it, too. */
export function nameOf(subdomain: string, id: DataExportId): string {
  return `${subdomain === '' ? 'roost' : subdomain}-export-${id}`;
}

/** Where administrators fetch it. See protocol/organizations#exports. */
export function addressOf(realmUrl: string, subdomain: string, id: DataExportId): string {
  return `${realmUrl}/data_exports/${id}/${encodeURIComponent(nameOf(subdomain, id))}.tar.gz`;
}
