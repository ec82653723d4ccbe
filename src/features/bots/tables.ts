import type { ChannelId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** What a bot has beyond its account. A bot without a row has the defaults of all. */
export const bot = table('bot', {
  user_id: col.ref<UserId>(),
  realm_id: col.ref<RealmId>(),
  default_sending_stream_id: col.refOrNull<ChannelId>(),
  default_events_register_stream_id: col.refOrNull<ChannelId>(),
  default_all_public_streams: col.bool(),
  /** Outgoing webhook bots: where messages are posted to, and in which form (1 generic, 2 Slack-like). */
  base_url: col.textOrNull(),
  service_interface: col.int(),
  /** Incoming webhook bots: the integration they were made for. */
  service_name: col.textOrNull(),
  config_data: col.json<Readonly<Record<string, string>>>(),
  /** Seconds since 1970 when the owner was last told of a message that went nowhere; 0 for never. */
  alerted_at: col.int(),
});
export type BotRow = SelectOf<typeof bot>;

declare module '#kernel/store' {
  interface Tables {
    bot: RowOf<typeof bot>;
  }
}
