// @ts-check
// Runs in the thread that highlights code. It is JavaScript because a thread is started from a file, which tests start
// from the sources.
import { parentPort } from 'node:worker_threads';
import * as library from './library.js';
import * as tables from './tables.js';

/** UTF-16 units of code after which the engine has compiled the highlighters. */
const WARMING = 50_000;
let done = 0;

/**
 * The highlighters of the languages that were used; undefined if a language has none.
 * @type {Map<string, Highlighter | undefined>}
 */
const ready = new Map();
/** @typedef {(code: import('./highlighting-thread.ts').Code) => string | undefined} Highlighter */

/** @param {string} name */
async function load(name) {
  const source = name.startsWith(tables.PREFIX) ? tables : library;
  ready.set(name, (await source.load(name)) ? source.highlighted : undefined);
}

/**
 * Highlights one text after the other until their HTML exceeds the limit.
 * @param {import('./highlighting-thread.ts').HighlightRequest} request
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

/** @param {import('./highlighting-thread.ts').HighlightRequest} request */
const answerOrEnd = (request) => void answer(request);
parentPort?.on('message', answerOrEnd);
