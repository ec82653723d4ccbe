import { BUILT_IN_COMMANDS } from '#features/slash-commands';
import { InvalidCommandName } from './errors.ts';

/** Most commands of one bot. */
export const MAX_OF_BOT = 50;
/** Most commands of one organization. */
export const MAX_OF_REALM = 500;
/** Longest description and usage hint, in code points. */
export const MAX_DESCRIPTION = 200;
/** Longest name, in characters. */
const MAX_NAME = 30;

/** Names that clients interpret themselves at the start of a message. */
const TAKEN: ReadonlySet<string> = new Set([...BUILT_IN_COMMANDS, 'me', 'poll', 'todo', 'day', 'night', 'help']);

/** Throws unless a command may have the name. See protocol/bots#commands. */
export function assertCommandName(name: string): void {
  if (!/^[a-z][a-z0-9_-]*$/.test(name) || name.length > MAX_NAME || TAKEN.has(name)) throw InvalidCommandName();
}

/** Returns the command name at the start of a message, registered or not; undefined for other messages. */
export function commandIn(content: string): string | undefined {
  return /^\/([a-z][a-z0-9_-]{0,29})(?=\s|$)/.exec(content)?.[1];
}
