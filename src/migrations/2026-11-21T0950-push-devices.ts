import { defineMigration } from '#kernel/store';

const id = { type: 'id' } as const;
const int = { type: 'int' } as const;
const text = { type: 'text' } as const;
const intOrNull = { type: 'int', nullable: true } as const;
const textOrNull = { type: 'text', nullable: true } as const;

/** Clients that people signed in with, and how push notifications reach them. */
export const pushDevices = defineMigration('2026-11-21T0950-push-devices', async (m) => {
  await m.createTable(
    'push_device',
    {
      id,
      realm_id: int,
      user_id: int,
      push_key: textOrNull,
      push_key_id: intOrNull,
      push_token_id: textOrNull,
      pending_push_token_id: textOrNull,
      push_token_kind: textOrNull,
      push_token_last_updated_timestamp: intOrNull,
      push_registration_error_code: textOrNull,
    },
    { indexes: [['user_id', 'id']] },
  );
  await m.createTable(
    'push_token',
    { id, realm_id: int, user_id: int, kind: text, token: text, token_hash: text, app_id: textOrNull },
    { unique: [['user_id', 'kind', 'token_hash']] },
  );
});
