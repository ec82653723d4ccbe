import { takeCodePoints } from '#kernel/text';
import type { Post } from './community.ts';

/** Most code points of a topic. */
const MAX_TOPIC = 60;

/** The topics of threads: each is called by the day it began and by how it begins. */
export class Threads {
  readonly #product: string;
  readonly #known = new Map<string, { at: number; words: string }>();

  constructor(product: string) {
    this.#product = product;
  }

  /** Notes what a message says of its thread. */
  note({ channel, thread, key, at, text }: Post): void {
    if (thread === undefined) return;
    const place = `${channel} ${thread}`;
    const known = this.#known.get(place) ?? { at, words: '' };
    known.at = Math.min(known.at, at);
    if (thread === key) known.words = begin(text);
    this.#known.set(place, known);
  }

  topicOf({ channel, thread, topic }: Post): string {
    if (topic !== undefined) return takeCodePoints(topic, MAX_TOPIC);
    const known = thread === undefined ? undefined : this.#known.get(`${channel} ${thread}`);
    if (!known) return `imported from ${this.#product}`;
    const day = new Date(known.at * 1000).toISOString().slice(0, 10);
    return known.words === '' ? `${day} thread` : `${day} ${known.words}`;
  }
}

/** Code points before the words: the day and a blank. */
const DAY = 11;

function begin(text: string): string {
  const words = text
    .slice(0, 1000)
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/@\*\*([^*|]+)\|\d+\*\*/g, '@$1')
    .replaceAll(/[*_~`<>]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const cut = takeCodePoints(words, MAX_TOPIC - DAY - 1);
  return cut === words ? words : `${cut}…`;
}
