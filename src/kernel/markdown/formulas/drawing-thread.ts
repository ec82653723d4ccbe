import { HelperThread } from '#kernel/threads';

/** What is to be drawn. One text and not one for each formula: all is copied from thread to thread. */
export interface Wish {
  /** Formulas in the language of TeX, with empty lines between them. */
  readonly sources: string;
  /** How many of them, from the first, stand on lines of their own. */
  readonly displayed: number;
  /** Units of HTML that they may become together; the one that goes beyond and those behind it are not drawn. */
  readonly maxLength: number;
}

/** What was drawn: the HTML of all in one, and the length of each in it; 0 for one that cannot be read. */
export interface Drawn {
  readonly html: string;
  readonly lengths: readonly number[];
}

/** Beside this file in the sources, and beside the bundle in what is built of them. */
const program = new URL('./draw-formulas.js', import.meta.url);

/**
 * Milliseconds in which all formulas of a message are drawn, the start of the thread included.
 * See protocol/markdown#limits.
 */
const PATIENCE_MS = 5000;

/**
 * Makes a thread that draws formulas: a page of them takes longer than all else in a hundred messages, and what a formula
 * can do to the library that draws it is not known. What went wrong is not drawn.
 */
export function drawingThread(patienceMs = PATIENCE_MS): HelperThread<Wish, Drawn> {
  return new HelperThread({ program, isAnswer: isDrawn, nothing: { html: '', lengths: [] }, patienceMs });
}

function isDrawn(message: unknown): message is Drawn {
  return typeof message === 'object' && message !== null && 'html' in message && 'lengths' in message;
}
