import { codeAt } from '../characters.ts';
import { emojiCode, emojiName } from '../emoji/table.ts';
import { type Element, element, type Html, inlineHtml } from '../tree.ts';
import type { RealmWords } from '../world.ts';

/**
 * The emoji that is neither the realm's nor Unicode's; deployed clients know it by this name (protocol/emoji#types).
 */
export const EXTRA_EMOJI = 'zulip';
export const EXTRA_EMOJI_URL = '/static/generated/emoji/images/emoji/unicode/zulip.png';

/** The emoji a name stands for: the realm's own, then the extra one, then Unicode's (protocol/markdown#emoji). */
export function namedEmoji(name: string, realm: RealmWords | null): Element | Html | undefined {
  const own = realm?.emoji.get(name);
  if (own) return picture(name, own.source_url);
  if (name === EXTRA_EMOJI) return picture(name, EXTRA_EMOJI_URL);
  const code = emojiCode(name);
  return code === undefined ? undefined : span(name, code);
}

/** Sequences found so far, with and without marks for emoji presentation. */
const characters = new Map<string, Html>();
/** A single character that is shown as text unless a mark for emoji presentation follows. */
const shownAsText = /^(?!\p{Emoji_Presentation}).$/u;

/** The emoji a sequence of characters is, shown under its first name; undefined for text and what the table lacks. */
export function characterEmoji(sequence: string): Html | undefined {
  const known = characters.get(sequence);
  if (known) return known;
  if (shownAsText.test(sequence)) return undefined;
  const code = codeOf(sequence);
  const name = emojiName(code);
  if (name === undefined) return undefined;
  const made = span(name, code);
  characters.set(sequence, made);
  return made;
}

/** Emoji of one character found so far, by code point. */
const singles = new Map<number, Html>();

/** The emoji that the character at a place of a text is by itself. */
export function emojiAt(text: string, index: number): Html | undefined {
  const point = codeAt(text, index) ?? 0;
  const known = singles.get(point);
  if (known) return known;
  const made = characterEmoji(String.fromCodePoint(point));
  if (made) singles.set(point, made);
  return made;
}

/** Code points in lower-case hex of at least four digits, without the mark for emoji presentation. */
function codeOf(sequence: string): string {
  let code = '';
  for (const character of sequence) {
    if (character === '\ufe0f') continue;
    if (code !== '') code += '-';
    code += (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  }
  return code;
}

/** Made once for each name; messages are full of the same few. */
const spans = new Map<string, Html>();

function span(name: string, code: string): Html {
  const known = spans.get(name);
  if (known) return known;
  const title = name.replaceAll('_', ' ');
  const attributes = `aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}"`;
  // Joined, it is one flat string, which is not put together again each time it is written.
  const made = inlineHtml(['<span ', attributes, '>:', name, ':</span>'].join(''), `:${name}:`);
  spans.set(name, made);
  return made;
}

function picture(name: string, src: string): Element {
  return element('img', { alt: `:${name}:`, class: 'emoji', src, title: name.replaceAll('_', ' ') });
}
