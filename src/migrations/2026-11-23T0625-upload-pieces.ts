import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** What has arrived of resumable uploads, which lies with all files. Without `metadata`: begun before there were pieces. */
export const uploadPieces = defineMigration('2026-11-23T0625-upload-pieces', async (m) => {
  await m.addColumn('unfinished_upload', 'metadata', { type: 'json', nullable: true });
  await m.addColumn('unfinished_upload', 'received', { type: 'int', default: 0 });
  await m.createTable(
    'upload_piece',
    { path_id: text, first_byte: int, realm_id: int, size: int, token: text },
    { primaryKey: ['path_id', 'first_byte'], indexes: [['token']] },
  );
});
