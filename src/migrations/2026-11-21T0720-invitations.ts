import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;
const bool = { type: 'bool' } as const;
const intOrNull = { type: 'int', nullable: true } as const;
const textOrNull = { type: 'text', nullable: true } as const;

/** Invitations by mail and by link, and links that work once for people without an account. */
export const invitationsMigration = defineMigration('2026-11-21T0720-invitations', async (m) => {
  await m.createTable(
    'invitation',
    {
      id: { type: 'id' },
      realm_id: int,
      invitation_kind: text,
      invitation_state: text,
      parent_id: intOrNull,
      email: textOrNull,
      email_key: textOrNull,
      inviter_id: intOrNull,
      invited_as: int,
      channel_ids: { type: 'json' },
      group_ids: { type: 'json' },
      includes_defaults: bool,
      notifies_referrer: bool,
      welcome_text: textOrNull,
      key_seed: text,
      key_hash: text,
      created_at: int,
      expires_at: intOrNull,
    },
    {
      unique: [['key_hash']],
      indexes: [
        ['realm_id', 'invitation_state'],
        ['realm_id', 'email_key'],
      ],
    },
  );
  await m.createTable(
    'one_time_link',
    { token_hash: text, realm_id: int, user_id: intOrNull, purpose: text, expires_at: int },
    { primaryKey: ['token_hash'] },
  );
});
