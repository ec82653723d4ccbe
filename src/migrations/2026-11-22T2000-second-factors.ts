import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Second factors: time-based codes, and the recovery codes that stand in for them. */
export const secondFactors = defineMigration('2026-11-22T2000-second-factors', async (m) => {
  await m.createTable(
    'second_factor',
    { user_id: int, realm_id: int, sealed_secret: text, last_step: int, confirmed_at: int },
    { primaryKey: ['user_id'], indexes: [['realm_id']] },
  );
  await m.createTable(
    'recovery_code',
    { code_hash: text, realm_id: int, user_id: int },
    { primaryKey: ['code_hash'], indexes: [['realm_id', 'user_id']] },
  );
});
