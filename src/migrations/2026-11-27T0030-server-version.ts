import { defineMigration } from '#kernel/store';

/** Which version serves the database. */
export const serverVersionMigration = defineMigration('2026-11-27T0030-server-version', (m) =>
  m.createTable(
    'server_version',
    {
      id: { type: 'int' },
      zulip_version: { type: 'text' },
      feature_level: { type: 'int' },
      roost_version: { type: 'text' },
      since: { type: 'int' },
    },
    { primaryKey: ['id'] },
  ),
);
