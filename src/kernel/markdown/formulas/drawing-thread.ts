import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

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
    try {
      return await this.#ask(worker, wish);
    } catch {
      await worker.terminate();
      return NOTHING;
    }
  }

  #start(): Worker {
    const worker = new Worker(program, { resourceLimits: MEMORY });
    // Whoever waits for an answer hears of errors too; without a listener one at any other time would end the server.
    worker.on('error', () => undefined);
    worker.once('exit', () => (this.#worker = undefined));
    return worker;
  }

  /** The process stays alive for as long as an answer is awaited. */
  async #ask(worker: Worker, wish: Wish): Promise<Drawn> {
    worker.ref();
    worker.postMessage(wish);
    const messages: unknown[] = await once(worker, 'message', { signal: AbortSignal.timeout(this.#patienceMs) });
    worker.unref();
    const [drawn] = messages;
    return isDrawn(drawn) ? drawn : NOTHING;
  }
}

function isDrawn(message: unknown): message is Drawn {
  return typeof message === 'object' && message !== null && 'html' in message && 'lengths' in message;
}
