import { defineMigration } from '#kernel/store';

/** Who made a token of a directory. Those from before, like the operator's, are nobody's. */
export const scimTokenOwners = defineMigration('2026-11-28T1020-scim-token-owners', (m) =>
  m.addColumn('scim_token', 'owner_id', { type: 'int', nullable: true }),
);
