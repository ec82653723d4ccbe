import { slice } from '#kernel/slice';
import { ruleEndpoints } from './endpoints.ts';
import { ruleEvents } from './events.ts';
import { matchJob, matchWhenPosted } from './matching.ts';
import { channelRule } from './tables.ts';

export const channelRules = slice({
  name: 'channel-rules',
  tables: [channelRule],
  endpoints: ruleEndpoints,
  events: ruleEvents,
  jobs: [matchJob],
  on: [matchWhenPosted],
});
