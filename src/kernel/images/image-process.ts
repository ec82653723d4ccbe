import type { Metadata } from 'sharp';
import { invariant, ServerBusy } from '#kernel/errors';
import type { Log } from '#kernel/log';
import { ImageCorrupt, ImageTooLarge } from './faults.ts';
import { HelperDied, HelperMissing, HelperProcess, HelperTooSlow } from './helper-process.ts';
import type { Drawing, Picture } from './pictures.ts';

/** How an image is opened. */
export interface Opening {
  /** How many of its frames, from the first. */
  readonly pages: number;
  readonly maxPixels: number;
  readonly timeoutSeconds: number;
}

/** What an image says of itself, without its comments. */
export type ImageMetadata = Pick<
  Metadata,
  'format' | 'width' | 'height' | 'channels' | 'depth' | 'isProgressive' | 'chromaSubsampling' | 'pages' | 'autoOrient'
>;

/** What the process is asked: to draw the image that it was sent last, or what that says of itself. */
export interface ImageRequest {
  readonly opening: Opening;
  readonly drawing?: Drawing;
}

/** What the decoder said of an image that it cannot read or draw. */
export class DecoderFault extends Error {}

/** Next to this file in the sources, and next to the bundle in a build. */
const program = new URL('./draw-images.js', import.meta.url);
/** Milliseconds by the clock for one answer: more than the decoder's own timeout. */
const PATIENCE_MS = 30_000;
/** Milliseconds after the last image in which the process waits for another. */
const IDLE_MS = 60_000;

/**
 * The process that decodes images. What strangers send is read by libraries in C, which have had faults; a file that ends
 * them, or fills the memory, ends this process and not the server.
 */
export class ImageProcess {
  readonly #helper = new HelperProcess({ program, patienceMs: PATIENCE_MS, idleMs: IDLE_MS });
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Does work on an image, once more in a new process where it ends that: something else may have ended it. Throws
   * `BAD_IMAGE`, or 503 if no process can be started.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work().catch((error: unknown) => this.#again(error, work));
    } catch (error) {
      throw asRefusal(error);
    }
  }

  /** Takes an image, and returns what it says of itself. */
  read(bytes: Uint8Array, opening: Opening): Promise<ImageMetadata> {
    return this.#ask({ opening }, isMetadata, bytes);
  }

  /** Draws the image that was read last. */
  draw(opening: Opening, drawing: Drawing): Promise<Picture> {
    return this.#ask({ opening, drawing }, isPicture);
  }

  async #ask<T>(
    request: ImageRequest,
    isAnswer: (answer: object) => answer is T & object,
    bytes?: Uint8Array,
  ): Promise<T> {
    const answer = await this.#helper.ask(request, bytes);
    invariant(typeof answer === 'object' && answer !== null, 'the process answers by objects');
    if (isFault(answer)) throw new DecoderFault(answer.fault);
    invariant(isAnswer(answer), 'the process answers what it is asked');
    return answer;
  }

  #again<T>(error: unknown, work: () => Promise<T>): Promise<T> {
    if (!(error instanceof HelperDied)) throw error;
    this.#log.warn({ err: error }, 'the process that draws images ended; it starts again');
    return work();
  }
}

const isFault = (answer: object): answer is { readonly fault: string } => 'fault' in answer;
const isMetadata = (answer: object): answer is ImageMetadata => 'autoOrient' in answer;
const isPicture = (answer: object): answer is Picture => 'bytes' in answer;

function asRefusal(error: unknown): unknown {
  if (error instanceof HelperDied) return ImageCorrupt();
  if (error instanceof HelperTooSlow) return ImageTooLarge();
  return error instanceof HelperMissing ? ServerBusy({ 'retry-after': 5 }) : error;
}
