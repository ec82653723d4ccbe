// @ts-check
// What runs in the thread that draws formulas. JavaScript, because a thread is started from a file, and the tests start it
// from the sources.
import { parentPort } from 'node:worker_threads';

const { default: katex } = await import('katex');

/** Boxes grow to that many em. */
const MAX_SIZE_EM = 50;
/** Macros expand that often at most in one formula. */
const MAX_EXPANSIONS = 100;
/** Formulas with macros of their own in one message, and the longest of them: they repeat whatever they hold. */
const MAX_WITH_MACROS = 5;
const MAX_MACROS_LENGTH = 300;
/** Units that such macros may make of a formula if each expansion repeats the whole. */
const MAX_EXPANDED_LENGTH = 3000;
/** Units of MathML of a formula with macros of its own. */
const MAX_MATHML_LENGTH = 40_000;
const definition = /\\(?:[egx]?def|(?:re|provide|new)+command|(?:future)?let)/;

// It warns of every character that it has no measures for: whoever writes formulas would fill the log.
globalThis.console.warn = () => undefined;

/**
 * The HTML of a formula; undefined when it cannot be read, or makes too much of itself.
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
 * What a formula's own macros make of it shows in its MathML, which is far sooner made than the rest.
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
 * Draws formulas until they have become too long.
 * @param {import('./drawing-thread.ts').Wish} wish
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

/** @param {import('./drawing-thread.ts').Wish} wish */
const answer = (wish) => parentPort?.postMessage(drawAll(wish));
parentPort?.on('message', answer);
