import { literal, maybe, object, type SchemaOf, str } from '#kernel/schema';

/** A status as it is shown: only what is set; the three emoji members occur together. See protocol/status#setting. */
export const wireStatus = object({
  away: maybe(literal(true)),
  status_text: maybe(str()),
  emoji_name: maybe(str()),
  emoji_code: maybe(str()),
  reaction_type: maybe(str()),
}).meta({ id: 'UserStatus' });
export type WireStatus = SchemaOf<typeof wireStatus>;
