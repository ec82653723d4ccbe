import { codePointLength, unprintablePosition } from '#kernel/text';
import { DefaultGroupNameTooLong, InvalidDefaultGroupName } from './errors.ts';

/** Longest name of a group of default channels, in code points. See protocol/channels#default-channels. */
const MAX_NAME = 60;

/** Throws unless a (trimmed) name is valid for a group of default channels. See protocol/channels#default-channels. */
export function assertDefaultGroupName(name: string): void {
  if (name === '' || unprintablePosition(name) > 0) throw InvalidDefaultGroupName({ name });
  if (codePointLength(name) > MAX_NAME) throw DefaultGroupNameTooLong();
}
