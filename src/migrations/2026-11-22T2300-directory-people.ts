import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;

/** What organizations' directories did to accounts. */
export const directoryPeople = defineMigration('2026-11-22T2300-directory-people', async (m) => {
  await m.createTable(
    'directory_person',
    {
      user_id: int,
      realm_id: int,
      picture_hash: { type: 'text', nullable: true },
      ended_at: { type: 'int', nullable: true },
    },
    { primaryKey: ['user_id'], indexes: [['realm_id']] },
  );
});
