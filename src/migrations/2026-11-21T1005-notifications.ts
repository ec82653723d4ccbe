import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;

/** Messages that stand on somebody's phone. */
export const notificationsMigration = defineMigration('2026-11-21T1005-notifications', async (m) => {
  await m.createTable(
    'pushed_message',
    { realm_id: int, user_id: int, message_id: int },
    { primaryKey: ['message_id', 'user_id'] },
  );
});
