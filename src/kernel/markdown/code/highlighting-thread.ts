import { HelperThread } from '#kernel/threads';

/** A text to be highlighted. */
export interface Code {
  /** The highlighter's name of its language. */
  readonly language: string;
  readonly code: string;
  /** Whether quotes are escaped too (protocol/markdown#serialisation). */
  readonly escapesQuotes: boolean;
}

/** All code of a message at once. */
export interface Wish {
  readonly codes: readonly Code[];
  /** Units of HTML that they may become together; what goes beyond stays plain. */
  readonly maxLength: number;
}

/** The HTML of each text; undefined for one that stays plain. */
export interface Highlighted {
  readonly html: readonly (string | undefined)[];
}

/** Beside this file in the sources, and beside the bundle in what is built of them. */
const program = new URL('./highlight-code.js', import.meta.url);

/** Milliseconds of processor time for the code of a message, ten times what 100 lines take; beyond, it stays plain. */
const PROCESSOR_MS = 50;
/** Milliseconds by the clock, the start of the thread and the loading of languages included. */
const PATIENCE_MS = 3000;
/** Milliseconds that a message waits for the code of others. */
const WAIT_MS = 500;

/** Makes a thread that highlights code: some texts take the highlighter's patterns a second. */
export function highlightingThread(patienceMs = PATIENCE_MS): HelperThread<Wish, Highlighted> {
  const bounds = { patienceMs, waitMs: WAIT_MS, processorMs: PROCESSOR_MS };
  return new HelperThread({ program, isAnswer: isHighlighted, nothing: { html: [] }, ...bounds });
}

function isHighlighted(message: unknown): message is Highlighted {
  return typeof message === 'object' && message !== null && 'html' in message && Array.isArray(message.html);
}
