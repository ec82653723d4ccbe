import { defineMigration } from '#kernel/store';

/** Parts of organizations that share the workers for jobs. */
export const jobParties = defineMigration('2026-11-28T0230-job-parties', (m) =>
  m.addColumn('job', 'party', { type: 'text', nullable: true }),
);
