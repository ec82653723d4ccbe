import { defineMigration } from '#kernel/store';

/** Domains whose addresses may join an organization that restricts them. */
export const emailDomainsMigration = defineMigration('2026-11-21T0941-email-domains', async (m) => {
  await m.createTable(
    'realm_domain',
    { id: { type: 'id' }, realm_id: { type: 'int' }, domain: { type: 'text' }, allow_subdomains: { type: 'bool' } },
    { unique: [['realm_id', 'domain']] },
  );
});
