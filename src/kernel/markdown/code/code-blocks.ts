import aliases from '../data/lexers.data.json';
import { escapeAttribute, escapeCode, escapePlainCode } from '../escape.ts';
import { blockHtml, type Html } from '../tree.ts';
import highlighters from './highlighters.data.json';
import { type Code, highlightingThread } from './highlighting-thread.ts';

const names = new Map(Object.entries(aliases).flatMap(([name, words]) => words.map((word) => [word, name] as const)));
const byName = new Map<string, string>(Object.entries(highlighters));

/**
 * Returns the display name of the language that a word names, ignoring case; for an unknown word, the word in lower
 * case.
 */
function languageName(word: string): string {
  const lower = word.toLowerCase();
  return names.get(lower) ?? lower;
}

/** Returns the highlighter's name of a language, or of one with the same syntax; undefined if it is not highlighted. */
function highlighterOf(word: string): string | undefined {
  return byName.get(languageName(word));
}

/** Most UTF-16 units of code that are highlighted in one message; further blocks stay plain. */
const MAX_CODE_LENGTH = 10_000;
/**
 * Most blocks that are highlighted in one message: with hundreds of small ones, the transfer takes longer than
 * highlighting.
 */
const MAX_BLOCKS = 50;
/** Most UTF-16 units of HTML from the code of one message; further blocks stay plain. */
const MAX_HIGHLIGHTED_LENGTH = 200_000;
/** Most messages that wait for the highlighter; the code of further ones stays plain. */
const MAX_WAITING = 20;

const thread = highlightingThread();
let waiting = 0;

/** A block to be highlighted, and the HTML around its code. */
interface Wanted extends Code {
  readonly node: Html;
  readonly before: string;
  readonly after: string;
}

/**
 * The code blocks of one message: plain at first; then those in known languages are highlighted, all in one call. See
 * protocol/markdown#code-blocks.
 */
export class CodeBlocks {
  readonly #wanted: Wanted[] = [];
  #left = MAX_CODE_LENGTH;

  /** Whether there is anything to highlight. */
  get areWanted(): boolean {
    return this.#wanted.length > 0;
  }

  /** Makes the block of a fence; `word` names its language, if given. */
  fenced(word: string | undefined, code: string): Html {
    const language = word === undefined ? '' : ` data-code-language="${escapeAttribute(languageName(word))}"`;
    return this.#block({ word, code, language, escapesQuotes: word === undefined, after: '' });
  }

  /**
   * Makes a block of indented code, which ends with two line ends; its first line may name the language
   * (protocol/markdown#indented-code).
   */
  indented(code: string): Html {
    const first = /^(?:::+|#!)([\w.+-]+)\s*\n/.exec(code);
    const rest = first ? code.slice(first[0].length) : code;
    return this.#block({ word: first?.[1], code: rest, language: '', escapesQuotes: true, after: '\n' });
  }

  #block({ word, language, escapesQuotes, ...block }: Block): Html {
    const code = block.code.replace(/^\n+/, '').trimEnd();
    const before = `<div class="codehilite"${language}><pre><span></span><code>`;
    const after = `\n</code></pre></div>\n${block.after}`;
    const node = blockHtml(before + (escapesQuotes ? escapePlainCode(code) : escapeCode(code)) + after);
    const highlighter = word === undefined ? undefined : highlighterOf(word);
    if (highlighter !== undefined && this.#isWithin(code))
      this.#wanted.push({ node, before, after, language: highlighter, code, escapesQuotes });
    return node;
  }

  #isWithin(code: string): boolean {
    if (code === '' || code.length > this.#left || this.#wanted.length === MAX_BLOCKS) return false;
    this.#left -= code.length;
    return true;
  }

  /** Highlights the blocks. Never fails: blocks that take too long stay plain. */
  async highlight(): Promise<void> {
    if (waiting === MAX_WAITING) return;
    waiting++;
    const codes = this.#wanted.map(({ language, code, escapesQuotes }) => ({ language, code, escapesQuotes }));
    const { html } = await thread.ask({ codes, maxLength: MAX_HIGHLIGHTED_LENGTH });
    waiting--;
    for (const [index, { node, before, after }] of this.#wanted.entries()) {
      const one = html[index];
      if (one !== undefined) node.html = before + one + after;
    }
  }
}

interface Block {
  readonly word: string | undefined;
  readonly code: string;
  /** The attribute with the language's name; empty if there is none. */
  readonly language: string;
  readonly escapesQuotes: boolean;
  readonly after: string;
}
