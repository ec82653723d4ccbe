import type { ChannelId, Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type DraftId = Id<'Draft'>;

/** Unsent messages that users saved. */
export const draft = table('draft', {
  id: col.id<DraftId>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  draft_type: col.text<'' | 'stream' | 'private'>(),
  /** IDs of the channel or the people that it is for. */
  draft_to: col.json<readonly (ChannelId | UserId)[]>(),
  topic: col.text(),
  content: col.text(),
  /** Seconds since 1970. */
  edited_at: col.int(),
});
export type DraftRow = SelectOf<typeof draft>;

declare module '#kernel/store' {
  interface Tables {
    draft: RowOf<typeof draft>;
  }
}
