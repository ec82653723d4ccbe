import { defineMigration } from '#kernel/store';

/** Counts the changes of the tables that say who is in which group, as of others that processes keep in memory. */
export const groupChanges = defineMigration('2026-11-28T2105-group-changes', (m) =>
  m.byDialect({
    sqlite: [],
    postgres: ['user_group', 'user_group_member', 'user_group_subgroup'].map(
      (table) => `select count_changes_of('${table}')`,
    ),
  }),
);
