import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;

/** Resumable uploads that are not whole yet, and the bytes that each may still take. */
export const unfinishedUploads = defineMigration('2026-11-22T1716-unfinished-uploads', async (m) => {
  await m.createTable(
    'unfinished_upload',
    { path_id: { type: 'text' }, realm_id: int, owner_id: int, size: int, begun_at: int },
    { primaryKey: ['path_id'], indexes: [['realm_id', 'owner_id'], ['begun_at']] },
  );
});
