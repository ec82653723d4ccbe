import type { ChannelId, Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type ChannelRuleId = Id<'ChannelRule'>;

/** Rules of channels: matching messages are sent to a bot. */
export const channelRule = table('channel_rule', {
  id: col.id<ChannelRuleId>(),
  realm_id: col.ref<RealmId>(),
  channel_id: col.ref<ChannelId>(),
  bot_id: col.ref<UserId>(),
  /** Empty if there is a pattern. */
  words: col.json<readonly string[]>(),
  pattern: col.textOrNull(),
  creator_id: col.ref<UserId>(),
  date_created: col.int(),
});
export type ChannelRuleRow = SelectOf<typeof channelRule>;

declare module '#kernel/store' {
  interface Tables {
    channel_rule: RowOf<typeof channelRule>;
  }
}
