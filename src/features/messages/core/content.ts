import { cutBody, normalizeBody } from '#kernel/markdown';
import { truncate, unprintablePosition, requestedTopic } from '#kernel/text';
import { MessageEmpty, MessageNullBytes, TopicCharacter } from './errors.ts';

/** Longest message, in code points; longer ones are cut. See protocol/messages#content. */
const MAX_MESSAGE = 10_000;
/** Longest topic, in code points; longer ones are cut. See protocol/messages#checks. */
export const MAX_TOPIC = 60;

/** The text of a message as it is stored. See protocol/messages#content. */
export function normaliseContent(text: string): string {
  const content = trimContent(text);
  if (content === '') throw MessageEmpty();
  if (text.includes('\u0000')) throw MessageNullBytes();
  return content;
}

/** Cleans and cuts a text like `normaliseContent`, but never throws. */
export function trimContent(text: string): string {
  return normalizeBody(text, MAX_MESSAGE);
}

/** Cuts a text to the length of a message. See protocol/messages#content. */
export function cutContent(text: string): string {
  return cutBody(text, MAX_MESSAGE);
}

/**
 * The name of a topic as it is stored; the names that stand for the unnamed one become empty.
 * See protocol/messages#checks, step 3.1.
 */
export function normaliseTopic(text: string): string {
  const topic = requestedTopic(text);
  const position = unprintablePosition(topic);
  if (position > 0) throw TopicCharacter({ position });
  return truncate(topic, MAX_TOPIC, '...');
}
