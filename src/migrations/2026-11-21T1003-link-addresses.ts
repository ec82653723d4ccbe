import { defineMigration } from '#kernel/store';

/** The address that a one-time link confirms. */
export const linkAddresses = defineMigration('2026-11-21T1003-link-addresses', async (m) => {
  await m.addColumn('one_time_link', 'address', { type: 'text', nullable: true });
});
