// @ts-check
// What runs in the thread that highlights code. JavaScript, because a thread is started from a file, and the tests start it
// from the sources.
import { parentPort } from 'node:worker_threads';
import * as library from './library.js';
import * as tables from './tables.js';

/** Units of code after which the highlighters' own code has been compiled. */
const WARMING = 50_000;
let done = 0;

/** Languages that were used, and what highlights them; nothing: there is none. @type {Map<string, Highlighter | undefined>} */
const ready = new Map();
/** @typedef {(code: import('./highlighting-thread.ts').Code) => string | undefined} Highlighter */

/** @param {string} name */
async function load(name) {
  const source = name.startsWith(tables.PREFIX) ? tables : library;
  ready.set(name, (await source.load(name)) ? source.highlighted : undefined);
}

/**
 * Highlights one text after the other until they have become too long.
 * @param {import('./highlighting-thread.ts').Wish} wish
 */
async function answer({ codes, maxLength }) {
  const isNew = codes.some(({ language }) => !ready.has(language));
  for (const { language } of codes) if (!ready.has(language)) await load(language);
  parentPort?.postMessage(isNew || done < WARMING ? 'warming' : 'begun');
  for (const { code } of codes) done += code.length;
  let left = maxLength;
  const html = codes.map((code) => {
    const one = left > 0 ? ready.get(code.language)?.(code) : undefined;
    left -= one?.length ?? 0;
    return left < 0 ? undefined : one;
  });
  parentPort?.postMessage({ html });
}

/** @param {import('./highlighting-thread.ts').Wish} wish */
const answerOrEnd = (wish) => void answer(wish);
parentPort?.on('message', answerOrEnd);
