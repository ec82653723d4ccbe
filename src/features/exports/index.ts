import { slice } from '#kernel/slice';

export const exportsSlice = slice({ name: 'exports' });

export type { Archive } from './archive.ts';
export { FORMAT } from './columns.ts';
export { OWN_TABLE_PREFIX } from './format.ts';
export { Entry } from './channels.ts';
export { INVITATIONS } from './invitations.ts';
export { Lanes } from './lanes.ts';
export { FLAGS } from './messages.ts';
export { CHANNEL_COLUMNS, EDIT_HISTORY, TOPICS_POLICY } from './organization.ts';
export { AUTO_READ } from './people.ts';
export type { ExportType } from './scope.ts';
export { writeExport } from './write.ts';
