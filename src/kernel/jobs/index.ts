export { cancelJob, enqueue, enqueueAll } from './enqueue.ts';
export { defineBatchJob, defineJob, type JobContext, type JobKind, JobRefused } from './job.ts';
export { countJobs, deleteJobsOf, isRefused, type JobCounts, listGivenUp, retryGivenUp } from './rows.ts';
export { JobRunner } from './runner.ts';
