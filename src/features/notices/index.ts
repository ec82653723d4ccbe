import { slice } from '#kernel/slice';
import { channelNotices } from './channels.ts';
import { groupNotices } from './groups.ts';
import { noticeJob } from './jobs.ts';

export const notices = slice({ name: 'notices', jobs: [noticeJob], on: [...channelNotices, groupNotices] });

export { queueChannelNotices, queueDirectNotices } from './jobs.ts';
