// @ts-check
// What runs in the thread that highlights code. JavaScript, because a thread is started from a file, and the tests start it
// from the sources.
import { parentPort } from 'node:worker_threads';
import { classOf } from './classes.js';

/**
 * What is used of the library, whose own types would bring those of browsers into the whole program: hence its name in a
 * variable.
 * @typedef {object} Library
 * @property {(code: string, options: { language: string, ignoreIllegals?: boolean }) => { value: string }} highlight
 * @property {(name: string, language: Language) => void} registerLanguage
 *
 * @typedef {(library: Library) => unknown} Language
 */
const library = 'highlight.js/lib';

/**
 * What a module of the library exports.
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

/** Units of code after which the library's own code has been compiled. */
const WARMING = 50_000;
let done = 0;

/** Languages that are ready; those that are not known to the library are not. @type {Map<string, boolean>} */
const loaded = new Map();

/**
 * Loads a language and those that may stand inside it, and makes it ready by using it once.
 * @param {string} name
 */
async function load(name) {
  if (loaded.has(name)) return;
  loaded.set(name, false);
  try {
    const language = await exported(`languages/${name}`);
    if (!isLanguage(language)) return;
    hljs.registerLanguage(name, language);
    for (const inner of innerLanguages(language(hljs))) await load(inner);
    hljs.highlight('', { language: name });
    loaded.set(name, true);
  } catch {
    // A language that the library does not have is shown plain.
  }
}

/**
 * Names of languages that a definition wants for parts of a text.
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
 * Code in spans that do not nest; undefined where it has no parts that are worth a span, or came out otherwise than it went in.
 * @param {import('./highlighting-thread.ts').Code} code
 */
function highlighted({ language, code, escapesQuotes }) {
  if (!loaded.get(language)) return undefined;
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  if (value.replace(/<[^<>]*>/g, '') !== escaped(code)) return undefined;
  return flattened(escapesQuotes ? value.replaceAll('&#x27;', '&#39;') : withQuotes(value));
}

/**
 * As the library escapes.
 * @param {string} code
 */
function escaped(code) {
  const angles = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return angles.replaceAll('"', '&quot;').replaceAll("'", '&#x27;');
}

/**
 * Quotes need no escape between tags. No attribute of the library's spans holds one.
 * @param {string} html
 */
const withQuotes = (html) => html.replaceAll('&quot;', '"').replaceAll('&#x27;', "'");

/**
 * Spans within spans as spans behind each other, each with the class of the innermost.
 * @param {string} html
 */
function flattened(html) {
  const open = [''];
  let result = '';
  let current = '';
  let blank = '';
  const change = (/** @type {string} */ wanted) => {
    const close = wanted !== current && current !== '' ? '</span>' : '';
    const begin = wanted !== current && wanted !== '' ? `<span class="${wanted}">` : '';
    result += close + blank + begin;
    [current, blank] = [wanted, ''];
  };
  for (const [piece, classes] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (classes !== undefined) open.push(classOf(classes, open.at(-1) ?? ''));
    else if (piece === '</span>') open.pop();
    // White space looks the same in any class, and stands within a span only where that goes on.
    else if (piece.trim() === '') blank += piece;
    else {
      change(open.at(-1) ?? '');
      result += piece;
    }
  }
  change('');
  return result;
}

/**
 * Highlights one text after the other until they have become too long.
 * @param {import('./highlighting-thread.ts').Wish} wish
 */
async function answer({ codes, maxLength }) {
  const isNew = codes.some(({ language }) => !loaded.has(language));
  for (const { language } of codes) await load(language);
  parentPort?.postMessage(isNew || done < WARMING ? 'warming' : 'begun');
  for (const { code } of codes) done += code.length;
  let left = maxLength;
  const html = codes.map((code) => {
    const one = left > 0 ? highlighted(code) : undefined;
    left -= one?.length ?? 0;
    return left < 0 ? undefined : one;
  });
  parentPort?.postMessage({ html });
}

/** @param {import('./highlighting-thread.ts').Wish} wish */
const answerOrEnd = (wish) => void answer(wish);
parentPort?.on('message', answerOrEnd);
