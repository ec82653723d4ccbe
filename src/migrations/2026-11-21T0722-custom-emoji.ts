import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Emoji that the organization's people made. */
export const customEmoji = defineMigration('2026-11-21T0722-custom-emoji', async (m) => {
  await m.createTable(
    'realm_emoji',
    {
      id: { type: 'id' },
      realm_id: int,
      name: text,
      author_id: { type: 'int', nullable: true },
      deactivated: { type: 'bool' },
      file_name: text,
      still_name: { type: 'text', nullable: true },
    },
    { indexes: [['realm_id']] },
  );
  // A name can be taken again once its emoji is deactivated.
  await m.run('create unique index realm_emoji_active on realm_emoji (realm_id, name) where not deactivated');
});
