// @ts-check
// The languages with a table (run-lexer.js), each loaded when it is first used.
import { createRequire } from 'node:module';
import { lexerOf } from './run-lexer.js';
import { Spans } from './spans.js';

/** Prefix of the names of highlighters that are tables. */
export const PREFIX = '@';

/** @type {Map<string, ReturnType<typeof lexerOf>>} */
const lexers = new Map();
// On Node 20, importing JSON by `import` would print a warning that this is experimental.
const json = createRequire(import.meta.url);

/**
 * Loads a language; returns whether it has a table.
 * @param {string} name
 */
export function load(name) {
  try {
    /** @type {unknown} */
    const table = json(`./lexer-tables/${name.slice(PREFIX.length)}.data.json`);
    if (!isTable(table)) return false;
    const lexer = lexerOf(table);
    // Compiles the expressions of the first state.
    lexer('');
    lexers.set(name, lexer);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {unknown} value
 * @returns {value is import('./run-lexer.js').Tables}
 */
function isTable(value) {
  return typeof value === 'object' && value !== null && 'lexers' in value;
}

/**
 * Returns the code in spans that are not nested.
 * @param {import('./highlighting-thread.ts').Code} code
 */
export function highlighted({ language, code, escapesQuotes }) {
  const spans = new Spans();
  for (const [name, text] of lexers.get(language)?.(code) ?? []) spans.add(name, escaped(text, escapesQuotes));
  return spans.end();
}

/**
 * @param {string} text
 * @param {boolean} escapesQuotes
 */
function escaped(text, escapesQuotes) {
  const angles = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escapesQuotes ? angles.replaceAll('"', '&quot;').replaceAll("'", '&#39;') : angles;
}
