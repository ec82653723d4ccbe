import type { MessageId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Reactions to messages; a user has each emoji at most once per message. */
export const reaction = table('reaction', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  message_id: col.ref<MessageId>(),
  user_id: col.ref<UserId>(),
  emoji_name: col.text(),
  emoji_code: col.text(),
  reaction_type: col.text(),
});
export type ReactionRow = SelectOf<typeof reaction>;

declare module '#kernel/store' {
  interface Tables {
    reaction: RowOf<typeof reaction>;
  }
}
