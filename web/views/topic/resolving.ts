import { RESOLVED_PREFIX, resolving } from '#features/message-edits/rules';

export function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX);
}

/** The topic's name as if it were not resolved. */
export function withoutMark(topic: string): string {
  return topic.replace(/^[✔ ]+/u, '');
}

/** A topic's name when it is resolved, or not any more. See protocol/editing#checks. */
export function toggled(topic: string): string {
  const open = withoutMark(topic);
  return resolving(topic, open) === 'unresolved' ? open : RESOLVED_PREFIX + topic;
}
