import type { ChannelId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Visibility policies of a topic: 1 muted, 2 unmuted, 3 followed. No row means none. */
export type Policy = 1 | 2 | 3;

export const userTopic = table('user_topic', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  channel_id: col.ref<ChannelId>(),
  topic: col.text(),
  topic_key: col.text(),
  visibility_policy: col.ref<Policy>(),
  last_updated: col.int(),
});
export type UserTopicRow = SelectOf<typeof userTopic>;

declare module '#kernel/store' {
  interface Tables {
    user_topic: RowOf<typeof userTopic>;
  }
}
