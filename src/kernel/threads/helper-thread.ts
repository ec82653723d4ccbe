import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { systemClock } from '#kernel/clock';

/** How to talk to a thread, and how long it may take. */
export interface HelperOptions<Request, Answer> {
  /** A file that runs in the thread: it receives each request as a message and posts one answer. */
  readonly program: URL;
  readonly isAnswer: (message: unknown) => message is Answer;
  /** The answer when something went wrong. */
  readonly nothing: Answer;
  /** Milliseconds of wall-clock time for one request, the start of the thread included. */
  readonly patienceMs: number;
  /** Milliseconds that a request waits for those before it, before it is given up. Absent: no limit. */
  readonly waitMs?: number;
  /**
   * Most milliseconds of processor time for one request, counted from the message `begun`, by which the program says
   * that it has loaded what it needs. Counts the whole process without its event loop, so that a busy machine does not
   * matter. Absent: no limit.
   */
  readonly processorMs?: number;
  /** MiB of objects that the thread may have before it is ended, beside 8 for the newest; 128 where none are said. */
  readonly memoryMb?: number;
  /** Memory of a request that is transferred, not copied: the caller cannot use it afterwards. */
  readonly handsOver?: (request: Request) => ArrayBuffer;
  /** Whether the thread ends after each request, because it would keep much memory. */
  readonly endsAfter?: (request: Request) => boolean;
}

/**
 * The messages by which a program says that it starts to work, with the multiple of the usual processor time that it
 * may take: more while its code runs for the first times and is not yet compiled.
 */
const BEGUN: ReadonlyMap<unknown, number> = new Map([
  ['begun', 1],
  ['warming', 6],
]);
const MEMORY_MB = 128;
/** MiB of the newest objects of a thread, of which there may be three times as many for a moment. */
const YOUNG_MB = 8;

/**
 * Runs requests one after the other in a thread of its own, while the event loop serves others. The thread starts at
 * its first request. One that takes too long is terminated, and the next request gets a new one.
 */
export class HelperThread<Request, Answer> {
  readonly #options: HelperOptions<Request, Answer>;
  #worker: Worker | undefined;
  /** Settles when nothing waits any longer. It has no answer, which would stay in memory until the next. */
  #last: Promise<void> = Promise.resolve();
  /** Rejects requests that wait for an answer. */
  #answer: (answer: Answer) => void = nobody;
  #begun: (factor: number) => void = nobody;

  constructor(options: HelperOptions<Request, Answer>) {
    this.#options = options;
  }

  /** Sends a request when those before it are done. Never rejects: failures become the fallback answer. */
  ask(request: Request): Promise<Answer> {
    const { nothing, waitMs = Infinity } = this.#options;
    const last = systemClock.monotonicMs() + waitMs;
    const answer = this.#last.then(() => (systemClock.monotonicMs() > last ? nothing : this.#askNow(request)));
    this.#last = answer.then(nobody);
    return answer;
  }

  async #askNow(request: Request): Promise<Answer> {
    const worker = (this.#worker ??= this.#start());
    const end = () => void worker.terminate();
    // The process stays alive while an answer is awaited.
    worker.ref();
    const { patienceMs, processorMs, handsOver, endsAfter } = this.#options;
    const isLast = endsAfter?.(request) === true;
    worker.postMessage(request, handsOver ? [handsOver(request)] : []);
    const bounds = [systemClock.after(patienceMs, end)];
    this.#begun = (factor) => {
      if (processorMs !== undefined) bounds.push(endAfter(processorMs * factor, end));
    };
    const answer = await new Promise<Answer>((resolve) => (this.#answer = resolve));
    this.#answer = nobody;
    for (const bound of bounds) bound.cancel();
    worker.unref();
    if (isLast) await worker.terminate();
    return answer;
  }

  #start(): Worker {
    const { program, isAnswer, nothing, memoryMb = MEMORY_MB } = this.#options;
    const worker = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.on('message', (message: unknown) => {
      const factor = BEGUN.get(message);
      if (factor !== undefined) this.#begun(factor);
      else this.#answer(isAnswer(message) ? message : nothing);
    });
    // The exit follows and is handled; but an `error` event without a listener would end the server.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.#worker = undefined;
      this.#answer(nothing);
    });
    return worker;
  }
}

/** Receives what nobody waits for. */
function nobody(): void {}

/** Calls `end` once this process has used so much processor time outside of its event loop, unless it is cancelled. */
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
