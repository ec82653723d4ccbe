export { defineJob, type JobContext, type JobKind } from './job.ts';
export { countJobs, type JobCounts } from './rows.ts';
export { JobRunner } from './runner.ts';
