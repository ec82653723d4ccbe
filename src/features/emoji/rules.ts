import { EmojiNameCharacter, EmojiNameEnding, EmojiNameMissing } from './errors.ts';

/** Normalizes and checks the name of an emoji. See protocol/emoji#custom-emoji. */
export function emojiNameOf(sent: string): string {
  const name = sent.trim().replaceAll(' ', '_');
  if (name === '') throw EmojiNameMissing();
  if (!/^[0-9a-z_-]+$/.test(name)) throw EmojiNameCharacter();
  if (!/[0-9a-z]$/.test(name)) throw EmojiNameEnding();
  return name;
}
