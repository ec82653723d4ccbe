import { Worker } from 'node:worker_threads';
import { systemClock } from '#kernel/clock';

/** How a thread is spoken to, and how long it may take. */
export interface Helping<Wish, Answer> {
  /** A file that runs in the thread: it gets each wish as a message, and sends one message back. */
  readonly program: URL;
  readonly isAnswer: (message: unknown) => message is Answer;
  /** What is answered where something went wrong. */
  readonly nothing: Answer;
  /** Milliseconds by the clock for one wish, the start of the thread included. */
  readonly patienceMs: number;
  /** Milliseconds that a wish waits for those before it; then nothing is answered. Absent: any time. */
  readonly waitMs?: number;
  /**
   * Milliseconds of processor time for one wish, from the message `begun` on, by which the program says that it has loaded
   * what it needs: that of the whole process without its event loop, so that a busy machine does not count. Absent: any.
   */
  readonly processorMs?: number;
  /** MiB of objects that the thread may have before it is ended, beside 8 for the newest; 128 where none are said. */
  readonly memoryMb?: number;
  /** Memory of a request that is moved, not copied: the caller cannot use it afterwards. */
  readonly handsOver?: (wish: Wish) => ArrayBuffer;
  /** Whether the thread ends when a wish is done, because it would keep much memory of it. */
  readonly endsAfter?: (wish: Wish) => boolean;
}

/**
 * By which a program says that it starts to work, and how many times the usual processor time it may take: more where its
 * code is run for the first times, and is yet to be compiled.
 */
const BEGUN: ReadonlyMap<unknown, number> = new Map([
  ['begun', 1],
  ['warming', 6],
]);
const MEMORY_MB = 128;
/** MiB of the newest objects of a thread, of which there may be three times as many for a moment. */
const YOUNG_MB = 8;

/**
 * Works in a thread of its own, one wish after the other, while the event loop serves others. The thread starts when it is
 * first needed. One that takes too long is ended, and the next wish has a new one.
 */
export class HelperThread<Wish, Answer> {
  readonly #helping: Helping<Wish, Answer>;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Rejects requests that wait for an answer. */
  #answer: (answer: Answer) => void = () => undefined;
  #begun: (factor: number) => void = () => undefined;

  constructor(helping: Helping<Wish, Answer>) {
    this.#helping = helping;
  }

  /** Asks for something when what was asked for before is done. Never fails: what went wrong is answered by nothing. */
  ask(wish: Wish): Promise<Answer> {
    const { nothing, waitMs = Infinity } = this.#helping;
    const last = systemClock.nowMs() + waitMs;
    const answer = this.#last.then(() => (systemClock.nowMs() > last ? nothing : this.#askNow(wish)));
    this.#last = answer;
    return answer;
  }

  async #askNow(wish: Wish): Promise<Answer> {
    const worker = (this.#worker ??= this.#start());
    const end = () => void worker.terminate();
    // The process stays alive for as long as an answer is awaited.
    worker.ref();
    const { patienceMs, processorMs, handsOver, endsAfter } = this.#helping;
    const isLast = endsAfter?.(wish) === true;
    worker.postMessage(wish, handsOver ? [handsOver(wish)] : []);
    const bounds = [systemClock.after(patienceMs, end)];
    this.#begun = (factor) => {
      if (processorMs !== undefined) bounds.push(endAfter(processorMs * factor, end));
    };
    const answer = await new Promise<Answer>((resolve) => (this.#answer = resolve));
    for (const bound of bounds) bound.cancel();
    worker.unref();
    if (isLast) await worker.terminate();
    return answer;
  }

  #start(): Worker {
    const { program, isAnswer, nothing, memoryMb = MEMORY_MB } = this.#helping;
    const worker = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.on('message', (message: unknown) => {
      const factor = BEGUN.get(message);
      if (factor !== undefined) this.#begun(factor);
      else this.#answer(isAnswer(message) ? message : nothing);
    });
    // The end follows, and is enough to know; but an error that nobody listens to would end the server.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.#worker = undefined;
      this.#answer(nothing);
    });
    return worker;
  }
}

/** Ends something once this process has used so much processor time outside of its event loop, unless it is cancelled. */
function endAfter(milliseconds: number, end: () => void): { cancel(): void } {
  const [start, loop] = [process.cpuUsage(), performance.eventLoopUtilization()];
  const used = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 - performance.eventLoopUtilization(loop).active;
  };
  const look = () => {
    const left = milliseconds - used();
    if (left > 0) timer = systemClock.after(Math.ceil(left), look);
    // An answer that has come already is read before the next timer.
    else timer = systemClock.after(1, end);
  };
  let timer = systemClock.after(milliseconds, look);
  return { cancel: () => timer.cancel() };
}
