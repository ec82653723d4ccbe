import { defineMigration } from '#kernel/store';

/** What organizations give their new users. */
export const userSettings = defineMigration('2026-11-21T0725-user-settings', async (m) => {
  await m.createTable(
    'realm_user_default',
    { realm_id: { type: 'int' }, settings: { type: 'text' } },
    { primaryKey: ['realm_id'] },
  );
});
