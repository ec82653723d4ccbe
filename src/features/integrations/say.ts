import { unprintablePosition } from '#kernel/text';
import { Field } from './field.ts';
import type { Call, Integration, Said } from './integration.ts';

/** A message to send. */
export interface Saying extends Pick<Said, 'event' | 'channel' | 'person' | 'personCalled'> {
  readonly topic: string;
  readonly content: string;
}

/** Most messages of one call. */
const MAX_MESSAGES = 20;
/** Most characters of a topic that are read; longer than topics may be. */
const MAX_TOPIC = 200;

/**
 * Returns the messages that an integration makes of a call; throws if the payload does not have the service's format.
 */
export function say(integration: Integration, payload: unknown, call: Call): readonly Saying[] {
  const root = new Field(payload);
  const said: Said | readonly Said[] | undefined = integration.read((path) => root.at(path), call);
  const all = said === undefined ? [] : 'topic' in said ? [said] : said;
  return all
    .slice(0, MAX_MESSAGES)
    .map((one) => ({ ...one, topic: asTopic(one.topic) || integration.title, content: String(one.content) }))
    .filter(({ content }) => content.trim() !== '');
}

/** Returns a text as a topic: on one line, without characters that topics may not have. */
function asTopic(text: string): string {
  const line = text.slice(0, MAX_TOPIC).replaceAll(/\s+/g, ' ').trim();
  return [...line].filter((character) => unprintablePosition(character) === 0).join('');
}

/**
 * Whether an event passes a URL's filters `only_events` and `exclude_events`, patterns in which `*` matches any text.
 */
export function isWanted(event: string | undefined, only: readonly string[], excluded: readonly string[]): boolean {
  if (event === undefined) return true;
  const fits = (pattern: string) => matches(pattern, event);
  return (only.length === 0 || only.some(fits)) && !excluded.some(fits);
}

/**
 * Whether a text matches a pattern with `*` and `?`. Takes time proportional to the product of their lengths at most.
 */
function matches(pattern: string, text: string): boolean {
  let [at, star, resume] = [0, -1, 0];
  let i = 0;
  while (i < text.length) {
    if (pattern[at] === '*') [star, resume] = [at++, i];
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[i])) [at, i] = [at + 1, i + 1];
    else if (star >= 0) [at, i] = [star + 1, ++resume];
    else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}
