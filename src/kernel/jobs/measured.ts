import type { Clock } from '#kernel/clock';
import type { Metrics } from '#kernel/metrics';
import type { JobCounts } from './counts.ts';
import type { Ran } from './batch-runner.ts';

/** Buckets of the histogram of runs, in seconds: from a few rows to a remote server that does not answer. */
const RUN_BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/**
 * Registers metrics of jobs: how many wait, how long, and how long runs take. Returns a function to call after each
 * run.
 */
export function jobMetrics(metrics: Metrics, clock: Clock, counts: () => Promise<JobCounts>): Ran {
  metrics.gauges(
    {
      roost_jobs_waiting: 'Jobs that are still to run, now or later, of all processes',
      roost_jobs_due: 'Jobs that should run now and that nobody has taken',
      roost_jobs_given_up: 'Jobs that failed so often that they are not tried again',
      roost_jobs_oldest_due_seconds: 'How long the oldest job has been due; 0 when none is',
    },
    async () => {
      const { waiting, due, due_since, given_up } = await counts();
      return {
        roost_jobs_waiting: waiting,
        roost_jobs_due: due,
        roost_jobs_given_up: given_up,
        roost_jobs_oldest_due_seconds: due_since === null ? 0 : clock.now() - due_since,
      };
    },
  );
  const durations = metrics.histogram('roost_job_seconds', 'How long jobs ran', ['kind', 'outcome'], RUN_BUCKETS);
  return (kind, outcome, ms) => durations.observe({ kind, outcome }, ms / 1000);
}
