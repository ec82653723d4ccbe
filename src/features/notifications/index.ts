import { slice } from '#kernel/slice';
import { missedMailJob } from './missed/gather.ts';
import { missedLetterJob } from './missed/letters.ts';
import { missedMessage } from './missed/tables.ts';
import { whyNotified } from './why-endpoints.ts';
import { unsubscribePage } from './unsubscribe.ts';
import { digestJob, seedDigests } from './digest/jobs.ts';
import { digestLetterJob } from './digest/letters.ts';
import { onSignedIn } from './sign-in-mail.ts';
import { notifyJob, notifyOn } from './notify.ts';
import { pruneRegularly } from './push/prune.ts';
import { removeJob, showJob, showOlderJob, showOnWebJob } from './push/jobs.ts';
import { pushedMessage } from './push/tables.ts';
import { removeFromWebJob } from './push/web.ts';

export { digestJob } from './digest/jobs.ts';
export { TRIGGERS } from './rules.ts';

export const notifications = slice({
  name: 'notifications',
  tables: [pushedMessage, missedMessage],
  reads: [
    'channel',
    'reaction',
    'session',
    'direct_participant',
    'message',
    'presence',
    'push_device',
    'push_token',
    'subscription',
    'user',
    'user_topic',
  ],
  endpoints: [whyNotified],
  pages: [unsubscribePage],
  jobs: [
    notifyJob,
    showJob,
    showOlderJob,
    removeJob,
    showOnWebJob,
    removeFromWebJob,
    missedMailJob,
    missedLetterJob,
    digestJob,
    digestLetterJob,
  ],
  on: [...notifyOn, onSignedIn],
  background: (context) => {
    const stops = [pruneRegularly(context), seedDigests(context)];
    return async () => {
      for (const stop of stops) await stop();
    };
  },
});
