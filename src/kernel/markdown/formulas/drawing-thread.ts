import { HelperThread } from '#kernel/threads';

/** Formulas to draw, joined to one text, because every value is copied between threads. */
export interface DrawRequest {
  /** Formulas in TeX, separated by empty lines. */
  readonly sources: string;
  /** How many of them, from the first, are display formulas. */
  readonly displayed: number;
  /** Most UTF-16 units of HTML in total; the first formula that exceeds it and all after it are not drawn. */
  readonly maxLength: number;
}

/** The HTML of all formulas, joined, and the length of each; 0 for an invalid one. */
export interface Drawn {
  readonly html: string;
  readonly lengths: readonly number[];
}

/** The program is beside this file in the sources, and beside the bundle in the build. */
const program = new URL('./draw-formulas.js', import.meta.url);

/**
 * Milliseconds for drawing all formulas of a message, including the start of the thread. See protocol/markdown#limits.
 */
const PATIENCE_MS = 5000;

/**
 * Makes a thread for drawing formulas: a page of them takes longer than rendering a hundred messages, and hostile
 * formulas may crash or hang the library. Formulas that fail are not drawn.
 */
export function drawingThread(patienceMs = PATIENCE_MS): HelperThread<DrawRequest, Drawn> {
  return new HelperThread({ program, isAnswer: isDrawn, nothing: { html: '', lengths: [] }, patienceMs });
}

function isDrawn(message: unknown): message is Drawn {
  return typeof message === 'object' && message !== null && 'html' in message && 'lengths' in message;
}
