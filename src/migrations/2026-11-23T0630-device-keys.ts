import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Keys of devices and app passwords, their last uses, and when the owner of a session last showed who they are. */
export const deviceKeys = defineMigration('2026-11-23T0630-device-keys', async (m) => {
  await m.createTable(
    'device_key',
    {
      id: { type: 'id' },
      realm_id: int,
      user_id: int,
      kind: text,
      name: text,
      scope: text,
      key_hash: text,
      created_at: int,
      ends_at: { type: 'int', nullable: true },
    },
    { unique: [['key_hash']], indexes: [['realm_id', 'user_id']] },
  );
  await m.createTable(
    'device_key_use',
    { key_id: int, realm_id: int, last_used_at: int, address: text },
    { primaryKey: ['key_id'], indexes: [['realm_id']] },
  );
  await m.addColumn('session', 'confirmed_at', { type: 'int', default: 0 });
});
