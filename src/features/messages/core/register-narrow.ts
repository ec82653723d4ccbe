import type { QueueNarrow } from '#kernel/events';
import { foldCase } from '#kernel/text';
import type { FullMessage } from '../wire.ts';

/** Prefix of a topic that has been resolved. */
const RESOLVED_PREFIX = '✔ ';

type Test = (message: FullMessage, operand: string, flags: readonly string[]) => boolean;

const inChannel: Test = (message, operand) =>
  typeof message.display_recipient === 'string' && foldCase(message.display_recipient) === foldCase(operand);

const IS: Readonly<Record<string, Test>> = {
  dm: (message) => message.type === 'private',
  private: (message) => message.type === 'private',
  starred: (_message, _operand, flags) => flags.includes('starred'),
  unread: (_message, _operand, flags) => !flags.includes('read'),
  alerted: (_message, _operand, flags) => flags.includes('mentioned'),
  mentioned: (_message, _operand, flags) => flags.includes('mentioned'),
  resolved: (message) => message.type === 'stream' && message.subject.startsWith(RESOLVED_PREFIX),
};

const TESTS: Readonly<Record<string, Test>> = {
  stream: inChannel,
  channel: inChannel,
  topic: (message, operand) => message.type === 'stream' && foldCase(message.subject) === foldCase(operand),
  sender: (message, operand) => foldCase(message.sender_email) === foldCase(operand),
  is: (message, operand, flags) => !Object.hasOwn(IS, operand) || (IS[operand]?.(message, operand, flags) ?? true),
};

/** Operators that a queue's narrow may use. See protocol/narrows#registered-narrows. */
export const NARROW_OPERATORS: ReadonlySet<string> = new Set(Object.keys(TESTS));

/** Whether a message passes the narrow of a queue: all terms must hold. */
export function narrowAdmits(message: FullMessage, narrow: QueueNarrow, flags: readonly string[]): boolean {
  return narrow.every(([operator, operand]) => TESTS[operator]?.(message, operand, flags) ?? false);
}
