import { slice } from '#kernel/slice';

export const exportsSlice = slice({ name: 'exports' });

export type { Archive } from './archive.ts';
export type { ExportType } from './scope.ts';
export { type Exported, writeExport } from './write.ts';
