import type { Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type BotCommandId = Id<'BotCommand'>;

/** Commands of outgoing webhook bots; names are unique in an organization. */
export const botCommand = table('bot_command', {
  id: col.id<BotCommandId>(),
  realm_id: col.ref<RealmId>(),
  bot_id: col.ref<UserId>(),
  command_name: col.text(),
  description: col.text(),
  usage_hint: col.text(),
});
export type BotCommandRow = SelectOf<typeof botCommand>;

declare module '#kernel/store' {
  interface Tables {
    bot_command: RowOf<typeof botCommand>;
  }
}
