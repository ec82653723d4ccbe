import type { Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type EmojiId = Id<'Emoji'>;

/** Custom emoji of an organization. Deactivated ones are kept for the messages that use them. */
export const realmEmoji = table('realm_emoji', {
  id: col.id<EmojiId>(),
  realm_id: col.ref<RealmId>(),
  name: col.text(),
  author_id: col.refOrNull<UserId>(),
  deactivated: col.bool(),
  /** File name of the picture in the organization's emoji folder. */
  file_name: col.text(),
  /** File name of an animation's first frame; null if the picture is not animated. */
  still_name: col.textOrNull(),
});
export type EmojiRow = SelectOf<typeof realmEmoji>;

declare module '#kernel/store' {
  interface Tables {
    realm_emoji: RowOf<typeof realmEmoji>;
  }
}
