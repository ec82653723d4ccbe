import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;
const bool = { type: 'bool' } as const;

/** Fields of profiles that organizations define, and what people fill in. */
export const profileFields = defineMigration('2026-11-21T0945-profile-fields', async (m) => {
  await m.createTable(
    'profile_field',
    {
      id: { type: 'id' },
      realm_id: int,
      name: text,
      hint: text,
      field_type: int,
      field_data: { type: 'json', nullable: true },
      position: int,
      required: bool,
      editable_by_user: bool,
      display_in_profile_summary: bool,
      use_for_user_matching: bool,
    },
    { unique: [['realm_id', 'name']] },
  );
  await m.createTable(
    'profile_value',
    { realm_id: int, user_id: int, field_id: int, field_value: text, rendered_value: { type: 'text', nullable: true } },
    { primaryKey: ['user_id', 'field_id'], indexes: [['realm_id', 'user_id'], ['field_id']] },
  );
});
