import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;

/** Who has muted whom. */
export const mutedUsers = defineMigration('2026-11-21T0925-muted-users', async (m) => {
  await m.createTable(
    'muted_user',
    { realm_id: int, user_id: int, muted_user_id: int, muted_at: int },
    { primaryKey: ['user_id', 'muted_user_id'], indexes: [['realm_id', 'user_id']] },
  );
});
