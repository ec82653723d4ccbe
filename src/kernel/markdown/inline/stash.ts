import { indexOfUnit } from '../characters.ts';
import { type Attributes, type Element, element, type Html, type Text, text } from '../tree.ts';

/** What a token stands for: something finished, text that later passes must not see, or what follows. */
export type Stashed = Html | Element | Text | Nested | Link;

/** An element whose content has been through the passes behind the one that made it. */
export interface Nested {
  readonly type: 'nested';
  readonly tag: string;
  readonly content: string;
  /** What stood on both sides of the content. */
  readonly mark: string;
  /** How deep elements are nested by it and inside. */
  readonly depth: number;
}

/** A link whose text is literal: tokens in it are shown, nothing else is looked for. */
interface Link {
  readonly type: 'link';
  readonly attributes: Attributes;
  readonly text: string;
}

/** What has no content of its own, with what it was made from. */
interface Kept {
  readonly type: 'kept';
  readonly made: Exclude<Stashed, Nested>;
  readonly source: string;
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

/** Where the next token stands in a text; -1 where there is none. */
export function indexOfToken(text: string, from: number): number {
  return indexOfUnit(text, START, from);
}

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
  readonly #items: (Kept | Nested)[] = [];

  /** Keeps an item made from `source` and gives its token. */
  put(made: Exclude<Stashed, Nested>, source: string): string {
    return tokenOf(this.#items.push({ type: 'kept', made, source }) - 1);
  }

  /** Keeps a link made from `source`. Most have no tokens in their text, and are finished. */
  putLink(attributes: Attributes, shown: string, source: string): string {
    const isFinished = !shown.includes(TOKEN_START);
    return this.put(
      isFinished ? element('a', attributes, [text(shown)]) : { type: 'link', attributes, text: shown },
      source,
    );
  }

  /** Keeps an element around content that stood between two marks and has been through the passes behind theirs. */
  nest(tag: string, mark: string, content: string): string {
    const depth = this.depthOf(content) + 1;
    return tokenOf(this.#items.push({ type: 'nested', tag, content, mark, depth }) - 1);
  }

  /** What the token at `index` of a text stands for. */
  at(text: string, index: number): Stashed {
    const item = this.#item(text, index);
    return item.type === 'kept' ? item.made : item;
  }

  /** How deep the elements are nested that the tokens of a text stand for. */
  depthOf(text: string): number {
    let depth = 0;
    for (let at = indexOfToken(text, 0); at !== -1; at = indexOfToken(text, at + TOKEN_LENGTH)) {
      const item = this.#item(text, at);
      if (item.type === 'nested') depth = Math.max(depth, item.depth);
    }
    return depth;
  }

  /** The text with the source put back in the place of each token (protocol/markdown#marks-never-leak). */
  restore(text: string): string {
    if (!text.includes(TOKEN_START)) return text;
    return text.replace(allTokens, (token) => {
      const item = this.#item(token, 0);
      return item.type === 'kept' ? this.restore(item.source) : item.mark + this.restore(item.content) + item.mark;
    });
  }

  #item(text: string, index: number): Kept | Nested {
    const number = (text.charCodeAt(index + 1) - FIRST) * BASE + text.charCodeAt(index + 2) - FIRST;
    const item = this.#items[number];
    if (!item) throw new Error('a token without an item');
    return item;
  }
}
