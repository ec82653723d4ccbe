/** How the topic without a name is shown. See protocol/topics#the-empty-topic. */
export const EMPTY_TOPIC_NAME = 'general chat';

/** The names that mean the topic without one. */
const MEANING_NONE: ReadonlySet<string> = new Set(['(no topic)', EMPTY_TOPIC_NAME]);

/** Whether a name stands for the topic without one. */
export function isUnnamed(topic: string): boolean {
  return MEANING_NONE.has(topic);
}

/** The topic that a request names: trimmed, and empty where it names the one without a name. */
export function requestedTopic(text: string): string {
  const topic = text.trim();
  return isUnnamed(topic) ? '' : topic;
}

/** A topic as a client shows it that may not know the empty one. */
export function topicShown(topic: string, knowsEmpty: boolean): string {
  return topic === '' && !knowsEmpty ? EMPTY_TOPIC_NAME : topic;
}
