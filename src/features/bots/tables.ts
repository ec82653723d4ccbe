import type { ChannelId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** A bot's settings beyond its account. A bot without a row has the default values. */
export const bot = table('bot', {
  user_id: col.ref<UserId>(),
  realm_id: col.ref<RealmId>(),
  default_sending_stream_id: col.refOrNull<ChannelId>(),
  default_events_register_stream_id: col.refOrNull<ChannelId>(),
  default_all_public_streams: col.bool(),
  /** For outgoing webhook bots: the address that messages are posted to, and the format (1 generic, 2 Slack-like). */
  base_url: col.textOrNull(),
  service_interface: col.int(),
  /** For incoming webhook bots: the integration. */
  service_name: col.textOrNull(),
  config_data: col.json<Readonly<Record<string, string>>>(),
  /** Seconds since 1970 of the last alert that a message reached nobody; 0 if there was none. */
  alerted_at: col.int(),
});
export type BotRow = SelectOf<typeof bot>;

declare module '#kernel/store' {
  interface Tables {
    bot: RowOf<typeof bot>;
  }
}
