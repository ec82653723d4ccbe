import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Texts that bots keep for themselves. */
export const botStorageMigration = defineMigration('2026-11-21T0931-bot-storage', async (m) => {
  await m.createTable(
    'bot_storage',
    { user_id: int, realm_id: int, storage_key: text, storage_value: text, storage_size: int },
    { primaryKey: ['user_id', 'storage_key'] },
  );
});
