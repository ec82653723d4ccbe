import { FlagNotEditable, InvalidFlag, InvalidFlagOperation } from '../core/errors.ts';

/** Flags that a reader may set. */
export type EditableFlag = 'read' | 'starred' | 'collapsed';
export type FlagOperation = 'add' | 'remove';

const FIXED = new Set([
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'group_mentioned',
  'has_alert_word',
  'historical',
]);

/** Parses the flag of a request. See protocol/flags#changing. */
export function parseFlag(flag: string): EditableFlag {
  if (flag === 'read' || flag === 'starred' || flag === 'collapsed') return flag;
  throw FIXED.has(flag) ? FlagNotEditable({ flag }) : InvalidFlag({ flag });
}

export function parseOperation(op: string): FlagOperation {
  if (op === 'add' || op === 'remove') return op;
  throw InvalidFlagOperation({ op });
}
