import { defineMigration } from '#kernel/store';

/** Up to when people who became full members by waiting have been announced. */
export const fullMembers = defineMigration('2026-11-21T1015-full-members', async (m) => {
  await m.createTable(
    'full_member_clock',
    { realm_id: { type: 'int' }, announced_until: { type: 'int' } },
    { primaryKey: ['realm_id'] },
  );
});
