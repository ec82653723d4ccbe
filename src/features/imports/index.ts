import { slice } from '#kernel/slice';
import { importItem } from './tables.ts';

export const importsSlice = slice({ name: 'imports', tables: [importItem] });

export { joinArchive } from './existing/index.ts';
export { ImportRefused } from './entry.ts';
export { parsedJson } from './json.ts';
export type { Report } from './report.ts';
export { importArchive } from './run.ts';
export type { ArchiveFiles, Scratch, Source } from './source.ts';
export { mattermostSource } from './mattermost/index.ts';
export { mboxSource } from './mbox/index.ts';
export { rocketChatSource } from './rocketchat/index.ts';
export { type Fetching as SlackFetching, slackSource } from './slack/index.ts';
