import { slice } from '#kernel/slice';
import { mailJob } from './jobs.ts';
import { onKeyEnded } from './replies.ts';
import { mailFailure, replyAddress } from './tables.ts';

export const mailsSlice = slice({
  name: 'mails',
  tables: [replyAddress, mailFailure],
  jobs: [mailJob],
  on: [onKeyEnded],
});

export { type PlainMail, senderOf, withLayout } from './layout.ts';
export { addressGivenUp, bouncedIn, forgetFailures, isOver, noteFailure } from './bounces.ts';
export { listFailures } from './queries.ts';
export {
  endReplies,
  findReplyByLocal,
  keepReply,
  newReplyAddress,
  newReplyToken,
  type ReplyAddress,
} from './replies.ts';
export { BULK, queueMail, queueMails, sendNow } from './jobs.ts';
