import type { Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type EmojiId = Id<'Emoji'>;

/** Emoji that the organization's people made. Deactivated ones stay for the messages that show them. */
export const realmEmoji = table('realm_emoji', {
  id: col.id<EmojiId>(),
  realm_id: col.ref<RealmId>(),
  name: col.text(),
  author_id: col.refOrNull<UserId>(),
  deactivated: col.bool(),
  /** Name of the picture among the organization's. */
  file_name: col.text(),
  /** Name of the first picture of an animation; null for what stands still. */
  still_name: col.textOrNull(),
});
export type EmojiRow = SelectOf<typeof realmEmoji>;

declare module '#kernel/store' {
  interface Tables {
    realm_emoji: RowOf<typeof realmEmoji>;
  }
}
