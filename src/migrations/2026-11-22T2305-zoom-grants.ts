import { defineMigration } from '#kernel/store';

/** Zoom accounts that people have connected. */
export const zoomGrants = defineMigration('2026-11-22T2305-zoom-grants', async (m) => {
  await m.createTable(
    'zoom_grant',
    { user_id: { type: 'int' }, realm_id: { type: 'int' }, sealed: { type: 'text' } },
    { primaryKey: ['user_id'], indexes: [['realm_id']] },
  );
});
