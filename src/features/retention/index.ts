import { slice } from '#kernel/slice';
import { retentionJob, seedRegularly } from './jobs.ts';

export const retention = slice({
  name: 'retention',
  reads: ['channel', 'message', 'recipient'],
  jobs: [retentionJob],
  background: seedRegularly,
});
