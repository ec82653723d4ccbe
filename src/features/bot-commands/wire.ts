import type { UserId } from '#kernel/ids';
import { idOf, object, type SchemaOf, str } from '#kernel/schema';
import type { BotCommandId, BotCommandRow } from './tables.ts';

/** A command as clients see it. See protocol/bots#commands. */
export const wireCommand = object({
  id: idOf<BotCommandId>(),
  name: str(),
  description: str(),
  usage_hint: str(),
  bot_id: idOf<UserId>(),
}).meta({ id: 'BotCommand' });
export type WireCommand = SchemaOf<typeof wireCommand>;

export function toWireCommand({ id, command_name, description, usage_hint, bot_id }: BotCommandRow): WireCommand {
  return { id, name: command_name, description, usage_hint, bot_id };
}
