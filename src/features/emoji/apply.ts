import type { WireEmoji } from './wire.ts';

/** The part of the client's state that these events change. */
interface EmojiState {
  readonly realm_emoji: Readonly<Record<string, WireEmoji>>;
}

type EmojiEvent =
  | { readonly op: 'add'; readonly emoji: WireEmoji }
  | { readonly op: 'update_one' | 'edit'; readonly emoji_id: string; readonly data: { readonly deactivated: boolean } }
  | { readonly op: 'update'; readonly realm_emoji: EmojiState['realm_emoji'] };

/** Returns the custom emoji after an event. */
export function applyEmojiEvent({ realm_emoji }: EmojiState, event: EmojiEvent): EmojiState {
  if (event.op === 'update') return { realm_emoji: event.realm_emoji };
  if (event.op === 'add') return { realm_emoji: { ...realm_emoji, [event.emoji.id]: event.emoji } };
  const known = realm_emoji[event.emoji_id];
  return known ? { realm_emoji: { ...realm_emoji, [event.emoji_id]: { ...known, ...event.data } } } : { realm_emoji };
}
