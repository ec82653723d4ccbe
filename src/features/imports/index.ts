import { slice } from '#kernel/slice';

export const importsSlice = slice({ name: 'imports' });

export { ImportRefused } from './entry.ts';
export type { Report } from './report.ts';
export { type ImportOptions, importArchive } from './run.ts';
export type { Source } from './source.ts';
export { slackSource } from './slack/source.ts';
