import type { Client, Emoji } from '../client/index.ts';
import { emojiCharacter } from '../rendered/index.ts';

/** An emoji as its character, or as the organization's picture. */
export function EmojiPicture({ emoji: { code, name, type, url } }: { readonly emoji: Omit<Emoji, 'names'> }) {
  if (type === 'realm_emoji' && url?.startsWith('/') === true)
    return <img class="emoji" src={url} alt="" loading="lazy" />;
  const character = type === 'unicode_emoji' ? emojiCharacter(code) : undefined;
  return <>{character ?? `:${name}:`}</>;
}

/** An emoji in the API's form. */
export interface WireEmoji {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
}

/** Returns the emoji of a reaction or a status; subscribes to the organization's own emoji. */
export function emojiOf({ model }: Client, { emoji_name, emoji_code, reaction_type }: WireEmoji): Omit<Emoji, 'names'> {
  if (reaction_type !== 'realm_emoji')
    return {
      name: emoji_name,
      code: emoji_code,
      type: reaction_type === 'unicode_emoji' ? reaction_type : 'zulip_extra_emoji',
    };
  const url = model.facts.get('realm_emoji')?.[emoji_code]?.source_url;
  return { name: emoji_name, code: emoji_code, type: reaction_type, url };
}
