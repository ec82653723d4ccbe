export { cancelJob, enqueue, enqueueAll } from './enqueue.ts';
export { defineBatchJob, defineJob, type JobContext, type JobKind, JobRefused } from './job.ts';
export { countJobs, type JobCounts } from './counts.ts';
export { isRefused, listGivenUp, retryGivenUp } from './given-up.ts';
export { deleteJobsOf } from './stored.ts';
export { JobRunner } from './runner.ts';
