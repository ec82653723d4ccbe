import type { ChannelId, UserId } from '#kernel/ids';
import { idOf, list, nullable, object, type SchemaOf, str, timestamp } from '#kernel/schema';
import type { ChannelRuleId, ChannelRuleRow } from './tables.ts';

/** A rule as clients see it. See protocol/bots#channel-rules. */
export const wireRule = object({
  id: idOf<ChannelRuleId>(),
  stream_id: idOf<ChannelId>(),
  bot_id: idOf<UserId>(),
  words: list(str()),
  pattern: nullable(str()),
  creator_id: idOf<UserId>(),
  date_created: timestamp(),
}).meta({ id: 'ChannelRule' });
type WireRule = SchemaOf<typeof wireRule>;

export function toWireRule({ realm_id: _realm, channel_id, words, ...rest }: ChannelRuleRow): WireRule {
  return { ...rest, words: [...words], stream_id: channel_id };
}
