import { codePointLength, unprintablePosition } from '#kernel/text';
import { ChannelNameBlank, ChannelNameCharacter, ChannelNameTooLong } from './errors.ts';

/** Longest channel name, in code points. See protocol/channels#names. */
const MAX_CHANNEL_NAME = 60;
/** Longest channel description, in code points. See protocol/channels#names. */
export const MAX_CHANNEL_DESCRIPTION = 1024;

/** Throws unless a (trimmed) name is one a channel may have. See protocol/channels#names. */
export function assertChannelName(name: string): void {
  if (name === '') throw ChannelNameBlank();
  if (codePointLength(name) > MAX_CHANNEL_NAME) throw ChannelNameTooLong();
  const position = unprintablePosition(name);
  if (position > 0) throw ChannelNameCharacter({ position });
}

/** Channel descriptions have no line breaks. */
export function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}
