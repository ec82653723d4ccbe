import { slice } from '#kernel/slice';
import { importItem } from './tables.ts';

export const importsSlice = slice({ name: 'imports', tables: [importItem] });

export { joinArchive } from './existing/join.ts';
export { ImportRefused } from './entry.ts';
export type { Report } from './report.ts';
export { importArchive } from './run.ts';
export type { ArchiveFiles, Scratch, Source } from './source.ts';
export { mattermostSource } from './mattermost/source.ts';
export { mboxSource } from './mbox/source.ts';
export { rocketChatSource } from './rocketchat/source.ts';
export type { Fetching as SlackFetching } from './slack/fetched.ts';
export { slackSource } from './slack/source.ts';
