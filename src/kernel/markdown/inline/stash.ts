import { indexOfUnit } from '../characters.ts';
import { type Attributes, type Element, element, type Html, type Text, text } from '../tree.ts';

/** What a token stands for: finished HTML, an element, literal text, a nested element or a link. */
export type Stashed = Html | Element | Text | Nested | Link;

/** An element whose content went through the passes after the one that made it. */
export interface Nested {
  readonly type: 'nested';
  readonly tag: string;
  readonly content: string;
  /** The mark on each side of the content. */
  readonly mark: string;
  /** Nesting depth, including this element. */
  readonly depth: number;
}

/** A link whose text is literal, except for tokens. */
interface Link {
  readonly type: 'link';
  readonly attributes: Attributes;
  readonly text: string;
}

/** An item without content of its own, and the source it was made from. */
interface Atom {
  readonly type: 'atom';
  readonly made: Exclude<Stashed, Nested>;
  readonly source: string;
}

const FIRST = 0xe000;
const BASE = 6400;
/** Length of a token in code units. */
export const TOKEN_LENGTH = 4;
const START = 2;
const END = 3;
/** First character of each token; messages never contain it. */
export const TOKEN_START = String.fromCharCode(START);
const TOKEN_END = String.fromCharCode(END);
const allTokens = new RegExp(`${TOKEN_START}..${TOKEN_END}`, 'g');

/** Returns the index of the next token; -1 if there is none. */
export function indexOfToken(text: string, from: number): number {
  return indexOfUnit(text, START, from);
}

/** Cached tokens by number; almost every message uses the first ones. */
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
 * Stores what the inline passes have made, and replaces it in the text by tokens. A token is neither white space nor
 * letter nor digit, and ends with a control character, so tests for word boundaries do not match inside.
 */
export class Stash {
  readonly #items: (Atom | Nested)[] = [];

  /** Stores an item made from `source`; returns its token. */
  put(made: Exclude<Stashed, Nested>, source: string): string {
    return tokenOf(this.#items.push({ type: 'atom', made, source }) - 1);
  }

  /** Stores a link made from `source`. Most have no tokens in their text, so their element is made at once. */
  putLink(attributes: Attributes, shown: string, source: string): string {
    const isFinished = !shown.includes(TOKEN_START);
    return this.put(
      isFinished ? element('a', attributes, [text(shown)]) : { type: 'link', attributes, text: shown },
      source,
    );
  }

  /** Stores an element around content that was between two marks and went through the later passes. */
  nest(tag: string, mark: string, content: string): string {
    const depth = this.depthOf(content) + 1;
    return tokenOf(this.#items.push({ type: 'nested', tag, content, mark, depth }) - 1);
  }

  /** Returns what the token at `index` stands for. */
  at(text: string, index: number): Stashed {
    const item = this.#item(text, index);
    return item.type === 'atom' ? item.made : item;
  }

  /** Returns the nesting depth of the elements in a text's tokens. */
  depthOf(text: string): number {
    let depth = 0;
    for (let at = indexOfToken(text, 0); at !== -1; at = indexOfToken(text, at + TOKEN_LENGTH)) {
      const item = this.#item(text, at);
      if (item.type === 'nested') depth = Math.max(depth, item.depth);
    }
    return depth;
  }

  /** Replaces each token in a text by its source (protocol/markdown#marks-never-leak). */
  restore(text: string): string {
    if (!text.includes(TOKEN_START)) return text;
    return text.replace(allTokens, (token) => {
      const item = this.#item(token, 0);
      return item.type === 'atom' ? this.restore(item.source) : item.mark + this.restore(item.content) + item.mark;
    });
  }

  #item(text: string, index: number): Atom | Nested {
    const number = (text.charCodeAt(index + 1) - FIRST) * BASE + text.charCodeAt(index + 2) - FIRST;
    const item = this.#items[number];
    if (!item) throw new Error('a token without an item');
    return item;
  }
}
