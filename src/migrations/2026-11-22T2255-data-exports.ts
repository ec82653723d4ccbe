import { defineMigration } from '#kernel/store';

/** Exports that administrators ask for. */
export const dataExportsMigration = defineMigration('2026-11-22T2255-data-exports', async (m) => {
  await m.createTable(
    'data_export',
    {
      id: { type: 'id' },
      realm_id: { type: 'int' },
      acting_user_id: { type: 'int' },
      export_type: { type: 'text' },
      requested_at: { type: 'int' },
      finished_at: { type: 'int', nullable: true },
      failed_at: { type: 'int', nullable: true },
      deleted_at: { type: 'int', nullable: true },
      file_key: { type: 'text', nullable: true },
    },
    { indexes: [['realm_id', 'id']] },
  );
});
