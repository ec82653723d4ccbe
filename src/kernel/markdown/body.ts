import { truncate } from '#kernel/text';

const MARKER = '\n[message truncated]';

/**
 * The text of a message as it is stored (protocol/markdown#body): no white space at its end, no newlines at its start,
 * cut to `max` code points. An empty result is for the caller to refuse.
 */
export function normalizeBody(typed: string, max: number): string {
  return cutBody(typed.trimEnd().replace(/^\n+/, ''), max);
}

/** A text cut to `max` code points. */
export function cutBody(text: string, max: number): string {
  return truncate(text, max, MARKER);
}
