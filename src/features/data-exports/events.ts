import { administrators, event } from '#kernel/events';
import { list } from '#kernel/schema';
import { wireDataExport } from './wire.ts';

/** An export was requested, finished, failed or was deleted; carries all exports. See protocol/events#organization. */
export const dataExportsChanged = event({
  type: 'realm_export',
  source: 'protocol/events#organization',
  payload: { exports: list(wireDataExport) },
  audience: () => administrators,
  stale: 'exports are fetched',
});
