import { Worker } from 'node:worker_threads';
import { systemClock } from '#kernel/clock';

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

const NOTHING: Drawn = { html: '', lengths: [] };

/** Beside this file in the sources, and beside the bundle in what is built of them. */
const program = new URL('./draw-formulas.js', import.meta.url);

/** Milliseconds in which all formulas of a message are drawn, the start of the thread included. Contract markdown 3.2. */
const PATIENCE_MS = 5000;
const MEMORY = { maxOldGenerationSizeMb: 128 };

/**
 * Draws formulas in a thread of their own: a page of them takes longer than all else in a hundred messages, and what a
 * formula can do to the library that draws it is not known. Meanwhile the event loop serves others. The thread starts
 * when it is first needed. One that takes too long is ended, and the next message has a new one.
 */
export class DrawingThread {
  readonly #patienceMs: number;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Tells whoever waits for an answer. */
  #answer: (drawn: Drawn) => void = () => undefined;

  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** Draws formulas when those asked for before are done. Never fails: what went wrong is not drawn. */
  draw(wish: Wish): Promise<Drawn> {
    const drawn = this.#last.then(() => this.#drawNow(wish));
    this.#last = drawn;
    return drawn;
  }

  async #drawNow(wish: Wish): Promise<Drawn> {
    const worker = (this.#worker ??= this.#start());
    // The process stays alive for as long as an answer is awaited.
    worker.ref();
    worker.postMessage(wish);
    const patience = systemClock.after(this.#patienceMs, () => void worker.terminate());
    const drawn = await new Promise<Drawn>((resolve) => (this.#answer = resolve));
    patience.cancel();
    worker.unref();
    return drawn;
  }

  #start(): Worker {
    const worker = new Worker(program, { resourceLimits: MEMORY });
    worker.on('message', (drawn: unknown) => this.#answer(isDrawn(drawn) ? drawn : NOTHING));
    // The end follows, and is enough to know; but an error that nobody listens to would end the server.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.#worker = undefined;
      this.#answer(NOTHING);
    });
    return worker;
  }
}

function isDrawn(message: unknown): message is Drawn {
  return typeof message === 'object' && message !== null && 'html' in message && 'lengths' in message;
}
