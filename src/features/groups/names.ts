import { codePointLength } from '#kernel/text';
import { GroupNameBlank, GroupNamePrefix, GroupNameTooLong } from './errors.ts';

/** Longest name of a group, in code points. See protocol/groups#operations. */
const MAX_GROUP_NAME = 100;
/** What mentions and system groups begin with. */
const RESERVED = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/** Throws unless a (trimmed) name is one a group may have. See protocol/groups#operations. */
export function assertGroupName(name: string): void {
  if (name === '') throw GroupNameBlank();
  if (codePointLength(name) > MAX_GROUP_NAME) throw GroupNameTooLong();
  const prefix = RESERVED.find((reserved) => name.startsWith(reserved));
  if (prefix !== undefined) throw GroupNamePrefix({ prefix });
}
