import { bool, idOf, maybe, nullable, object, type SchemaOf, str } from '#kernel/schema';
import type { UserId } from '#kernel/ids';

/** A custom emoji as clients see it. See protocol/emoji#custom-emoji. */
export const wireEmoji = object({
  id: str(),
  name: str(),
  source_url: str(),
  still_url: maybe(nullable(str())),
  deactivated: bool(),
  author_id: nullable(idOf<UserId>()),
}).meta({ id: 'Emoji' });
export type WireEmoji = SchemaOf<typeof wireEmoji>;
