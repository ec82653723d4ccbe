import { RESOLVED_PREFIX, resolving } from '#features/message-edits/rules';

export function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX);
}

/** A topic's name when it is resolved, or not any more. See protocol/editing#checks. */
export function toggled(topic: string): string {
  const open = topic.replace(/^[✔ ]+/u, '');
  return resolving(topic, open) === 'unresolved' ? open : RESOLVED_PREFIX + topic;
}
