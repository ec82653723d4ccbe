import { slice } from '#kernel/slice';
import { mailJob } from './jobs.ts';

export const mailsSlice = slice({ name: 'mails', jobs: [mailJob] });

export { senderOf, withLayout } from './layout.ts';
export { queueMail, queueMails } from './jobs.ts';
