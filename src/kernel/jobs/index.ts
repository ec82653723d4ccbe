export { defineBatchJob, defineJob, type JobContext, type JobKind } from './job.ts';
export { countJobs, type JobCounts, listGivenUp, retryGivenUp } from './rows.ts';
export { JobRunner } from './runner.ts';
