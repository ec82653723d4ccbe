// @ts-check
// Runs in the thread that draws formulas. It is JavaScript because a thread is started from a file, which tests start
// from the sources.
import { parentPort } from 'node:worker_threads';

const { default: katex } = await import('katex');

/** Largest size of a box, in em. */
const MAX_SIZE_EM = 50;
/** Most expansions of macros in one formula. */
const MAX_EXPANSIONS = 100;
/**
 * Most formulas in one message that define macros, and the longest of them in UTF-16 units: macros repeat whatever they
 * contain.
 */
const MAX_WITH_MACROS = 5;
const MAX_MACROS_LENGTH = 300;
/** Most UTF-16 units that such a formula may become if each expansion repeats the whole formula. */
const MAX_EXPANDED_LENGTH = 3000;
/** Most UTF-16 units of MathML of such a formula. */
const MAX_MATHML_LENGTH = 40_000;
const definition = /\\(?:[egx]?def|(?:re|provide|new)+command|(?:future)?let)/;

// The library warns about every character without font metrics, so that users could fill the log.
globalThis.console.warn = () => undefined;

/**
 * Returns the HTML of a formula; undefined if the formula is invalid or becomes too large.
 * @param {string} source
 * @param {boolean} displayMode
 */
function drawn(source, displayMode) {
  const options = { displayMode, maxSize: MAX_SIZE_EM, strict: false, trust: false };
  try {
    if (definition.test(source)) return drawnWithMacros(source, options);
    return katex.renderToString(source, { ...options, maxExpand: MAX_EXPANSIONS });
  } catch {
    return undefined;
  }
}

/**
 * Draws a formula that defines macros. Its MathML is made first, to see how large it becomes: that takes much less time
 * than the HTML.
 * @param {string} source
 * @param {import('katex').KatexOptions} options
 */
function drawnWithMacros(source, options) {
  if (source.length > MAX_MACROS_LENGTH) return undefined;
  const maxExpand = Math.min(MAX_EXPANSIONS, Math.floor(MAX_EXPANDED_LENGTH / source.length));
  const mathml = katex.renderToString(source, { ...options, maxExpand, output: 'mathml' });
  return mathml.length > MAX_MATHML_LENGTH ? undefined : katex.renderToString(source, { ...options, maxExpand });
}

/**
 * Draws formulas until their HTML exceeds the limit.
 * @param {import('./drawing-thread.ts').DrawRequest} request
 */
function drawAll({ sources, displayed, maxLength }) {
  let html = '';
  let withMacros = 0;
  const lengths = [];
  for (const [index, source] of sources.split('\n\n').entries()) {
    const isOneTooMany = definition.test(source) && ++withMacros > MAX_WITH_MACROS;
    const one = (isOneTooMany ? undefined : drawn(source, index < displayed)) ?? '';
    if (html.length + one.length > maxLength) break;
    html += one;
    lengths.push(one.length);
  }
  return { html, lengths };
}

/** @param {import('./drawing-thread.ts').DrawRequest} request */
const answer = (request) => parentPort?.postMessage(drawAll(request));
parentPort?.on('message', answer);
