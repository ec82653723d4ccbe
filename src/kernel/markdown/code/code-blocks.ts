import aliases from '../data/lexers.data.json';
import { escapeAttribute, escapeCode, escapePlainCode } from '../escape.ts';
import { blockHtml, type Html } from '../tree.ts';
import highlighters from './highlighters.data.json';
import { type Code, highlightingThread } from './highlighting-thread.ts';

const names = new Map(Object.entries(aliases).flatMap(([name, words]) => words.map((word) => [word, name] as const)));
const byName = new Map<string, string>(Object.entries(highlighters));

/** The display name of the language a word names, letter case ignored; for an unknown word, the word in lower case. */
function languageName(word: string): string {
  const lower = word.toLowerCase();
  return names.get(lower) ?? lower;
}

/** The highlighter's name of the language a word names, or of one that is written alike; undefined: shown plain. */
function highlighterOf(word: string): string | undefined {
  return byName.get(languageName(word));
}

/** Units of code that are highlighted in one message; further blocks stay plain. */
const MAX_CODE_LENGTH = 10_000;
/** Blocks that are highlighted in one message; hundreds of small texts take longer to hand over than to highlight. */
const MAX_BLOCKS = 50;
/** Units of HTML that the code of one message may become; further blocks stay plain. */
const MAX_HIGHLIGHTED_LENGTH = 200_000;
/** Messages that wait for the highlighter at once; the code of others stays plain. */
const MAX_WAITING = 20;

const thread = highlightingThread();
let waiting = 0;

/** A block whose code will be highlighted, and what is written around the code. */
interface Wanted extends Code {
  readonly node: Html;
  readonly before: string;
  readonly after: string;
}

/**
 * The blocks of code of one message: plain as they are parsed, then those whose language the highlighter knows once more
 * with spans, all at once. See protocol/markdown#code-blocks.
 */
export class CodeBlocks {
  readonly #wanted: Wanted[] = [];
  #left = MAX_CODE_LENGTH;

  /** Whether there is anything to highlight. */
  get areWanted(): boolean {
    return this.#wanted.length > 0;
  }

  /** A block of a fence; `word` names its language, if it was given one. */
  fenced(word: string | undefined, code: string): Html {
    const language = word === undefined ? '' : ` data-code-language="${escapeAttribute(languageName(word))}"`;
    return this.#block({ word, code, language, escapesQuotes: word === undefined, after: '' });
  }

  /**
   * Indented code: two newlines behind it, and perhaps a first line that names the language
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

  /** Highlights what is wanted. Never fails: what takes too long stays plain. */
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
  /** The attribute that names the language; empty for none. */
  readonly language: string;
  readonly escapesQuotes: boolean;
  readonly after: string;
}
