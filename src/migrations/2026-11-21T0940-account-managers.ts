import { defineMigration } from '#kernel/store';

/** Administrators whom the operator lets make accounts and change addresses. */
export const accountManagers = defineMigration('2026-11-21T0940-account-managers', async (m) => {
  await m.addColumn('user', 'may_manage_accounts', { type: 'bool', default: false });
});
