export { defineBatchJob, defineJob, type JobContext, type JobKind, JobRefused } from './job.ts';
export { countJobs, isRefused, type JobCounts, listGivenUp, retryGivenUp } from './rows.ts';
export { JobRunner } from './runner.ts';
