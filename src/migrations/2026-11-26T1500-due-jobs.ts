import { defineMigration } from '#kernel/store';

/** Whether a job of some kinds is due, and when the next one is, is found without those of others, which may wait by the thousand. */
export const dueJobs = defineMigration('2026-11-26T1500-due-jobs', (m) =>
  m.createIndex('job', ['kind', 'failed_at', 'run_at', 'leased_until']),
);
