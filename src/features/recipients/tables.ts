import type { ChannelId, RealmId, RecipientId, UserId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';

/** Conversations: of a channel, or of a set of people. */
export const recipient = table('recipient', {
  id: col.id<RecipientId>(),
  realm_id: col.ref<RealmId>(),
  channel_id: col.refOrNull<ChannelId>(),
  /** Ascending IDs of the people, joined by commas; null for channels. */
  participants_key: col.textOrNull(),
});

/** The people of each direct conversation. */
export const directParticipant = table('direct_participant', {
  realm_id: col.ref<RealmId>(),
  recipient_id: col.ref<RecipientId>(),
  user_id: col.ref<UserId>(),
});

declare module '#kernel/store' {
  interface Tables {
    recipient: RowOf<typeof recipient>;
    direct_participant: RowOf<typeof directParticipant>;
  }
}
