import { slice } from '#kernel/slice';
import { missedMailJob } from './missed/gather.ts';
import { missedMessage } from './missed/tables.ts';
import { unsubscribePage } from './missed/unsubscribe.ts';
import { notifyJob, notifyOn } from './notify.ts';
import { pruneRegularly } from './push/prune.ts';
import { removeJob, showJob, showOlderJob, showOnWebJob } from './push/jobs.ts';
import { pushedMessage } from './push/tables.ts';
import { removeFromWebJob } from './push/web.ts';

export const notifications = slice({
  name: 'notifications',
  tables: [pushedMessage, missedMessage],
  reads: [
    'direct_participant',
    'message',
    'presence',
    'push_device',
    'push_token',
    'subscription',
    'user',
    'user_topic',
  ],
  pages: [unsubscribePage],
  jobs: [notifyJob, showJob, showOlderJob, removeJob, showOnWebJob, removeFromWebJob, missedMailJob],
  on: notifyOn,
  background: pruneRegularly,
});
