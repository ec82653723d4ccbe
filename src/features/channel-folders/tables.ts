import type { Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type FolderId = Id<'ChannelFolder'>;

/** Folders of channels. */
export const channelFolder = table('channel_folder', {
  id: col.id<FolderId>(),
  realm_id: col.ref<RealmId>(),
  name: col.text(),
  name_key: col.text(),
  description: col.text(),
  rendered_description: col.text(),
  /** Sort key among the organization's folders, ascending. */
  position: col.int(),
  date_created: col.int(),
  creator_id: col.refOrNull<UserId>(),
  is_archived: col.bool(),
});
export type FolderRow = SelectOf<typeof channelFolder>;

declare module '#kernel/store' {
  interface Tables {
    channel_folder: RowOf<typeof channelFolder>;
  }
}
