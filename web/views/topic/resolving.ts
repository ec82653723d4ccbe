import { RESOLVED_PREFIX, resolving } from '#features/message-edits/rules';

export function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX);
}

/** Returns the topic's name without the resolved mark. */
export function withoutMark(topic: string): string {
  return topic.replace(/^[✔ ]+/u, '');
}

/** Returns the topic's name after it is resolved or reopened. See protocol/editing#checks. */
export function toggled(topic: string): string {
  const open = withoutMark(topic);
  return resolving(topic, open) === 'unresolved' ? open : RESOLVED_PREFIX + topic;
}
