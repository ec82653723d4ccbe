import { languageName } from '../code/languages.ts';
import { escapeAttribute, escapeCode, escapePlainCode } from '../escape.ts';
import { blockHtml, type Html } from '../tree.ts';

/** A block of code; `word` names its language, if it was given one (contract 2.10). */
export function codeBlock(word: string | undefined, code: string): Html {
  return blockHtml(frame(word, code));
}

/** Indented code: two newlines behind it, and perhaps a first line that names the language (contract 1.7). */
export function indentedCodeBlock(code: string): Html {
  const first = /^(?:::+|#!)([\w.+-]+)\s*\n/.exec(code);
  return blockHtml(`${frame(undefined, first ? code.slice(first[0].length) : code)}\n`);
}

function frame(word: string | undefined, code: string): string {
  const trimmed = code.replace(/^\n+/, '').trimEnd();
  const body = word === undefined ? escapePlainCode(trimmed) : escapeCode(trimmed);
  const language = word === undefined ? '' : ` data-code-language="${escapeAttribute(languageName(word))}"`;
  return `<div class="codehilite"${language}><pre><span></span><code>${body}\n</code></pre></div>\n`;
}
