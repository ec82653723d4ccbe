import { truncate } from '#kernel/text';

const MARKER = '\n[message truncated]';

/**
 * Normalizes a message's text for storing (protocol/markdown#body): removes trailing white space and leading line ends,
 * and cuts it to `max` code points. The caller refuses an empty result.
 */
export function normalizeBody(typed: string, max: number): string {
  return cutBody(typed.trimEnd().replace(/^\n+/, ''), max);
}

/** Cuts a text to `max` code points. */
export function cutBody(text: string, max: number): string {
  return truncate(text, max, MARKER);
}
