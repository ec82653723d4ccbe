import type { Attributes, Node } from '../tree.ts';

/** What a token stands for. */
export type Stashed =
  /** An element whose content has been through the passes behind the one that made it. */
  | { readonly kind: 'nested'; readonly tag: string; readonly content: string }
  /** A link whose text is literal: tokens in it are shown, nothing else is looked for. */
  | { readonly kind: 'link'; readonly attributes: Attributes; readonly text: string }
  | { readonly kind: 'node'; readonly node: Node }
  /** Text that later passes must not see. */
  | { readonly kind: 'literal'; readonly text: string };

interface Item {
  readonly made: Stashed;
  readonly source: string;
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
const tokens = new RegExp(`${TOKEN_START}..${TOKEN_END}`, 'g');

/**
 * Keeps what the inline passes have made. In the text a token takes its place: it is neither white space nor letter nor
 * digit, and ends with a control character, so no boundary test takes it for one.
 */
export class Stash {
  readonly #items: Item[] = [];

  /** Keeps an item made from `source` and gives its token. */
  put(made: Stashed, source: string): string {
    const index = this.#items.length;
    this.#items.push({ made, source, depth: made.kind === 'nested' ? this.depthOf(made.content) + 1 : 0 });
    return String.fromCharCode(START, FIRST + Math.floor(index / BASE), FIRST + (index % BASE), END);
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
    return text.replace(tokens, (token) => this.restore(this.#item(token, 0).source));
  }

  #item(text: string, index: number): Item {
    const number = (text.charCodeAt(index + 1) - FIRST) * BASE + text.charCodeAt(index + 2) - FIRST;
    const item = this.#items[number];
    if (!item) throw new Error('a token without an item');
    return item;
  }
}
