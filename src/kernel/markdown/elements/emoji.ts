import { codeAt } from '../characters.ts';
import { emojiCode, emojiName } from '../emoji/table.ts';
import { type Element, element, type Html, inlineHtml } from '../tree.ts';
import type { RealmWords } from '../world.ts';

/** The one emoji that is neither custom nor Unicode; deployed clients use this name (protocol/emoji#types). */
export const EXTRA_EMOJI = 'zulip';
export const EXTRA_EMOJI_URL = '/static/generated/emoji/images/emoji/unicode/zulip.png';

/** Returns the emoji with a name: a custom one, the extra one, or a Unicode one (protocol/markdown#emoji). */
export function namedEmoji(name: string, realm: RealmWords | null): Element | Html | undefined {
  const own = realm?.emoji.get(name);
  if (own) return picture(name, own.source_url);
  if (name === EXTRA_EMOJI) return picture(name, EXTRA_EMOJI_URL);
  const code = emojiCode(name);
  return code === undefined ? undefined : span(name, code);
}

/** Cached emoji by sequence of characters, with and without variation selectors. */
const characters = new Map<string, Html>();
/** A single character that is shown as text unless a variation selector follows. */
const shownAsText = /^(?!\p{Emoji_Presentation}).$/u;

/** Returns the emoji of a sequence of characters, with its first name; undefined if it is text or not in the table. */
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

/** Cached emoji of one character, by code point. */
const singles = new Map<number, Html>();

/** Returns the emoji of the single character at an index. */
export function emojiAt(text: string, index: number): Html | undefined {
  const point = codeAt(text, index) ?? 0;
  const known = singles.get(point);
  if (known) return known;
  const made = characterEmoji(String.fromCodePoint(point));
  if (made) singles.set(point, made);
  return made;
}

/** The code points in lower-case hex with at least four digits, without variation selectors. */
function codeOf(sequence: string): string {
  let code = '';
  for (const character of sequence) {
    if (character === '\ufe0f') continue;
    if (code !== '') code += '-';
    code += (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  }
  return code;
}

/** Cached by name, because messages mostly use the same few emoji. */
const spans = new Map<string, Html>();

function span(name: string, code: string): Html {
  const known = spans.get(name);
  if (known) return known;
  const title = name.replaceAll('_', ' ');
  const attributes = `aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}"`;
  // `join` makes one flat string; a concatenated one would be flattened each time it is written.
  const made = inlineHtml(['<span ', attributes, '>:', name, ':</span>'].join(''), `:${name}:`);
  spans.set(name, made);
  return made;
}

function picture(name: string, src: string): Element {
  return element('img', { alt: `:${name}:`, class: 'emoji', src, title: name.replaceAll('_', ' ') });
}
