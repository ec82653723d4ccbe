import { slice } from '#kernel/slice';
import { callJob } from './call.ts';
import { callBots } from './triggers.ts';

export const outgoingWebhooks = slice({ name: 'outgoing-webhooks', jobs: [callJob], on: [callBots] });

export { callJob } from './call.ts';
