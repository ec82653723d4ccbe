import { slice } from '#kernel/slice';
import { missedLetterJob, missedMailJob } from './missed/index.ts';
import { missedMessage } from './pending/index.ts';
import { whyNotified } from './why-endpoints.ts';
import { unsubscribePage } from './unsubscribe.ts';
import { digestJob, digestLetterJob, seedDigests } from './digest/index.ts';
import { onSignedIn } from './sign-in-mail.ts';
import { notifyJob, notifyOn } from './notify.ts';
import {
  pruneRegularly,
  pushedMessage,
  removeFromWebJob,
  removeJob,
  showJob,
  showOlderJob,
  showOnWebJob,
} from './push/index.ts';

export { digestJob } from './digest/index.ts';
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
