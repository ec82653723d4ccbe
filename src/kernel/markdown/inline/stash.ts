import type { Attributes, Element, Html, Text } from '../tree.ts';

/** What a token stands for: something finished, text that later passes must not see, or what follows. */
export type Stashed =
  | Html
  | Element
  | Text
  /** An element whose content has been through the passes behind the one that made it. */
  | { readonly type: 'nested'; readonly tag: string; readonly content: string }
  /** A link whose text is literal: tokens in it are shown, nothing else is looked for. */
  | { readonly type: 'link'; readonly attributes: Attributes; readonly text: string };

interface Item {
  readonly made: Stashed;
  /** What it was made from, but for the mark on both sides of it. */
  readonly source: string;
  readonly mark: string;
  /** How deep elements are nested inside. */
  readonly depth: number;
}

const FIRST = 0xe000;
const BASE = 6400;
/** Code units of a token. */
export const TOKEN_LENGTH = 4;
const START = 2;
const END = 3;
/** Opens every token; the text of a message never holds it. */
export const TOKEN_START = String.fromCharCode(START);
const TOKEN_END = String.fromCharCode(END);
const allTokens = new RegExp(`${TOKEN_START}..${TOKEN_END}`, 'g');

/** Tokens by their number; the first ones stand in almost every text. */
const tokens: string[] = [];

function tokenOf(number: number): string {
  return (tokens[number] ??= String.fromCharCode(
    START,
    FIRST + Math.floor(number / BASE),
    FIRST + (number % BASE),
    END,
  ));
}

/**
 * Keeps what the inline passes have made. In the text a token takes its place: it is neither white space nor letter nor
 * digit, and ends with a control character, so no boundary test takes it for one.
 */
export class Stash {
  readonly #items: Item[] = [];

  /** Keeps an item made from `source` and gives its token. */
  put(made: Stashed, source: string): string {
    return tokenOf(this.#items.push({ made, source, mark: '', depth: 0 }) - 1);
  }

  /** Keeps an element around content that stood between two marks and has been through the passes behind theirs. */
  nest(tag: string, mark: string, content: string): string {
    const depth = this.depthOf(content) + 1;
    return tokenOf(this.#items.push({ made: { type: 'nested', tag, content }, source: content, mark, depth }) - 1);
  }

  /** What the token at `index` of a text stands for. */
  at(text: string, index: number): Stashed {
    return this.#item(text, index).made;
  }

  /** How deep the elements are nested that the tokens of a text stand for. */
  depthOf(text: string): number {
    let depth = 0;
    for (let at = text.indexOf(TOKEN_START); at !== -1; at = text.indexOf(TOKEN_START, at + TOKEN_LENGTH))
      depth = Math.max(depth, this.#item(text, at).depth);
    return depth;
  }

  /** The text with the source put back in the place of each token (contract 7.2). */
  restore(text: string): string {
    if (!text.includes(TOKEN_START)) return text;
    return text.replace(allTokens, (token) => {
      const { mark, source } = this.#item(token, 0);
      return mark + this.restore(source) + mark;
    });
  }

  #item(text: string, index: number): Item {
    const number = (text.charCodeAt(index + 1) - FIRST) * BASE + text.charCodeAt(index + 2) - FIRST;
    const item = this.#items[number];
    if (!item) throw new Error('a token without an item');
    return item;
  }
}
