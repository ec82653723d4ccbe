import { codePointLength, unprintablePosition } from '#kernel/text';
import { DefaultGroupNameTooLong, InvalidDefaultGroupName } from './errors.ts';

/** Longest name of a group of default channels, in code points. Contract surrounding 2.6.3. */
const MAX_NAME = 60;

/** Throws unless a (trimmed) name is one a group of default channels may have. Contract surrounding 2.6.3. */
export function assertDefaultGroupName(name: string): void {
  if (name === '' || unprintablePosition(name) > 0) throw InvalidDefaultGroupName({ name });
  if (codePointLength(name) > MAX_NAME) throw DefaultGroupNameTooLong();
}
