// @ts-check
// The languages of highlight.js, each loaded when it is first used.
import { classOf } from './classes.js';
import { Spans } from './spans.js';

/**
 * The members of the library that are used here. Its name is in a variable, so that its own types are not loaded: they
 * would bring those of browsers into the whole program.
 * @typedef {object} Library
 * @property {(code: string, options: { language: string, ignoreIllegals?: boolean }) => { value: string }} highlight
 * @property {(name: string, language: Language) => void} registerLanguage
 *
 * @typedef {(library: Library) => unknown} Language
 */
const library = 'highlight.js/lib';

/**
 * Returns the default export of a module of the library.
 * @param {string} path
 * @returns {Promise<unknown>}
 */
async function exported(path) {
  /** @type {unknown} */
  const module = await import(`${library}/${path}`);
  return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
}

/**
 * @param {unknown} value
 * @returns {value is Library}
 */
function isLibrary(value) {
  return typeof value === 'object' && value !== null && 'registerLanguage' in value;
}

/**
 * @param {unknown} value
 * @returns {value is Language}
 */
function isLanguage(value) {
  return typeof value === 'function';
}

/** @param {unknown} core */
function asLibrary(core) {
  if (!isLibrary(core)) throw new Error('highlight.js is another');
  return core;
}

const hljs = asLibrary(await exported('core'));

/**
 * The languages that were requested, and whether they can be used.
 * @type {Map<string, boolean>}
 */
const loaded = new Map();

/**
 * Loads a language and those that it embeds, and uses it once, which compiles it. Returns whether the library has it.
 * @param {string} name
 * @returns {Promise<boolean>}
 */
export async function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  loaded.set(name, false);
  try {
    const language = await exported(`languages/${name}`);
    if (!isLanguage(language)) return false;
    hljs.registerLanguage(name, language);
    for (const inner of innerLanguages(language(hljs))) await load(inner);
    hljs.highlight('', { language: name });
    loaded.set(name, true);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the names of the languages that a definition embeds.
 * @param {unknown} definition
 * @param {Set<unknown>} seen
 * @returns {string[]}
 */
function innerLanguages(definition, seen = new Set()) {
  if (typeof definition !== 'object' || definition === null || seen.has(definition)) return [];
  seen.add(definition);
  const found = 'subLanguage' in definition ? [definition.subLanguage].flat() : [];
  const names = found.filter((name) => typeof name === 'string');
  return [...names, ...Object.values(definition).flatMap((value) => innerLanguages(value, seen))];
}

/**
 * Returns the code in spans that are not nested; undefined if the library has changed its text.
 * @param {import('./highlighting-thread.ts').Code} code
 */
export function highlighted({ language, code, escapesQuotes }) {
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  if (value.replace(/<[^<>]*>/g, '') !== escaped(code)) return undefined;
  return flattened(escapesQuotes ? value.replaceAll('&#x27;', '&#39;') : withQuotes(value));
}

/**
 * Escapes code in the same way as the library.
 * @param {string} code
 */
function escaped(code) {
  const angles = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return angles.replaceAll('"', '&quot;').replaceAll("'", '&#x27;');
}

/**
 * Restores quotes, which need no escaping between tags. No attribute of the library's spans contains one.
 * @param {string} html
 */
const withQuotes = (html) => html.replaceAll('&quot;', '"').replaceAll('&#x27;', "'");

/**
 * Turns nested spans into adjacent ones, each with the class of the innermost.
 * @param {string} html
 */
function flattened(html) {
  const open = [''];
  const spans = new Spans();
  for (const [piece, classes] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (classes !== undefined) open.push(classOf(classes, open.at(-1) ?? ''));
    else if (piece === '</span>') open.pop();
    else spans.add(open.at(-1) ?? '', piece);
  }
  return spans.end();
}
