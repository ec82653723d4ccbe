import { defineMigration } from '#kernel/store';

/** Where organizations were before they moved. */
export const formerSubdomains = defineMigration('2026-11-22T2357-former-subdomains', async (m) => {
  await m.createTable(
    'former_subdomain',
    { subdomain: { type: 'text' }, realm_id: { type: 'int' } },
    { primaryKey: ['subdomain'], indexes: [['realm_id']] },
  );
});
