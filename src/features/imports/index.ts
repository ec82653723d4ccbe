import { slice } from '#kernel/slice';

export const importsSlice = slice({ name: 'imports' });

export { ImportRefused } from './entry.ts';
export type { Report } from './report.ts';
export { type ImportOptions, importArchive } from './run.ts';
export type { ArchiveFiles, Scratch, Source } from './source.ts';
export { mattermostSource } from './mattermost/source.ts';
export { mboxSource } from './mbox/source.ts';
export { rocketChatSource } from './rocketchat/source.ts';
export { slackSource } from './slack/source.ts';
