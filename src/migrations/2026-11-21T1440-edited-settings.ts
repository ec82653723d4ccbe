import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;

/** Settings that users chose themselves. Of old ones nobody knows who chose them: each counts as its user's choice. */
export const editedSettings = defineMigration('2026-11-21T1440-edited-settings', async (m) => {
  await m.createTable(
    'edited_setting',
    { realm_id: int, user_id: int, name: { type: 'text' } },
    { primaryKey: ['user_id', 'name'] },
  );
  const insert = 'insert into edited_setting (realm_id, user_id, name)';
  await m.byDialect({
    sqlite: [`${insert} select u.realm_id, u.id, s.key from "user" u, json_each(u.user_settings) s`],
    postgres: [
      `${insert} select u.realm_id, u.id, s.key from "user" u, jsonb_object_keys(u.user_settings::jsonb) s(key)`,
    ],
  });
});
