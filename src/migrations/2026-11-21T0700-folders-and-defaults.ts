import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Folders of channels, and groups of default channels. */
export const foldersAndDefaults = defineMigration('2026-11-21T0700-folders-and-defaults', async (m) => {
  await m.createTable(
    'channel_folder',
    {
      id: { type: 'id' },
      realm_id: int,
      name: text,
      name_key: text,
      description: text,
      rendered_description: text,
      position: int,
      date_created: int,
      creator_id: { type: 'int', nullable: true },
      is_archived: { type: 'bool' },
    },
    { indexes: [['realm_id', 'name_key']] },
  );
  await m.createTable(
    'default_channel_group',
    { id: { type: 'id' }, realm_id: int, name: text, description: text },
    { unique: [['realm_id', 'name']] },
  );
  await m.createTable(
    'default_channel_group_member',
    { realm_id: int, default_group_id: int, channel_id: int },
    { primaryKey: ['default_group_id', 'channel_id'], indexes: [['channel_id']] },
  );
});
