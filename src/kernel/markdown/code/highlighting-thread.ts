import { HelperThread } from '#kernel/threads';

/** Code to highlight. */
export interface Code {
  /** The highlighter's name of the language. */
  readonly language: string;
  readonly code: string;
  /** Whether to escape quotes, too (protocol/markdown#serialisation). */
  readonly escapesQuotes: boolean;
}

/** All code of a message. */
export interface HighlightRequest {
  readonly codes: readonly Code[];
  /** Most UTF-16 units of HTML in total; further texts stay plain. */
  readonly maxLength: number;
}

/** The HTML of each text; undefined if it stays plain. */
export interface Highlighted {
  readonly html: readonly (string | undefined)[];
}

/** The program is beside this file in the sources, and beside the bundle in the build. */
const program = new URL('./highlight-code.js', import.meta.url);

/**
 * Milliseconds of processor time for the code of a message, ten times what 100 lines take; after that, code stays
 * plain.
 */
const PROCESSOR_MS = 50;
/** Milliseconds of wall-clock time, including the start of the thread and the loading of languages. */
const PATIENCE_MS = 3000;
/** Milliseconds that a message waits while the code of others is highlighted. */
const WAIT_MS = 500;

/** Makes a thread for highlighting, because the highlighter's patterns take a second for some texts. */
export function highlightingThread(patienceMs = PATIENCE_MS): HelperThread<HighlightRequest, Highlighted> {
  const bounds = { patienceMs, waitMs: WAIT_MS, processorMs: PROCESSOR_MS };
  return new HelperThread({ program, isAnswer: isHighlighted, nothing: { html: [] }, ...bounds });
}

function isHighlighted(message: unknown): message is Highlighted {
  return typeof message === 'object' && message !== null && 'html' in message && Array.isArray(message.html);
}
