import { type ChildProcess, fork } from 'node:child_process';
import { systemClock, type Timer } from '#kernel/clock';
import { bareEnvironment } from '#kernel/config';

/** How to talk to a process, and how long it may take. */
export interface HelperProcessOptions {
  /** A file that runs in the process, and answers each request with one message by `answerRequests`. */
  readonly program: URL;
  /** Milliseconds by the clock for one answer, the start of the process included. */
  readonly patienceMs: number;
  /** Milliseconds after which a process without requests is ended, because it would keep its memory. */
  readonly idleMs: number;
}

/** The process ended before it answered, perhaps by what it was asked. */
export class HelperDied extends Error {}
/** The answer took too long; the process was ended. */
export class HelperTooSlow extends Error {}
/** The process cannot be started: there are too many, or there is no memory. */
export class HelperMissing extends Error {}

/** Bytes of one message: larger ones would keep the event loop. */
const PART_BYTES = 2 ** 18;
/** MiB of objects that the process may have; what its libraries take by themselves does not count. */
const MEMORY_MB = 64;

/** Makes glibc give memory back to the system at once, as deploy/ does for the server. */
const GIVEN_BACK = { MALLOC_MMAP_THRESHOLD_: '98304' };

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/**
 * Answers requests, one at a time, in a process of its own: for libraries whose faults would end the process that they are
 * in. It starts at its first request, and ends when it takes too long, when nothing is asked for a while, and with ours.
 */
export class HelperProcess {
  readonly #options: HelperProcessOptions;
  #child: ChildProcess | undefined;
  #waiting: Waiting | undefined;
  #idle: Timer | undefined;

  constructor(options: HelperProcessOptions) {
    this.#options = options;
  }

  /**
   * Sends a request, and before it the bytes that it is about, which the process keeps until others come. Rejects with
   * one of the errors above. The one before must be answered.
   */
  async ask(request: object, bytes?: Uint8Array): Promise<unknown> {
    this.#idle?.cancel();
    const child = (this.#child ??= this.#start());
    // Our process stays alive while an answer is awaited.
    keepAlive(child, true);
    const bound = systemClock.after(this.#options.patienceMs, () => this.#end(new HelperTooSlow()));
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject };
        // What cannot be sent any more has no reader; its end is told by `exit`.
        send(child, request, bytes).catch(() => child.kill('SIGKILL'));
      });
    } finally {
      bound.cancel();
      this.#waiting = undefined;
      keepAlive(child, false);
      this.#idle = systemClock.after(this.#options.idleMs, () => this.#end(new HelperDied()));
    }
  }

  #start(): ChildProcess {
    const child = fork(this.#options.program, [], {
      env: { ...bareEnvironment(), ...GIVEN_BACK },
      execArgv: [`--max-old-space-size=${MEMORY_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (answer) => this.#waiting?.resolve(answer));
    child.once('exit', (code, signal) => this.#gone(child, new HelperDied(`ended with ${signal ?? code}`)));
    // Also when it cannot be killed, or a message cannot be sent.
    child.on('error', (cause) => this.#gone(child, new HelperMissing('not started', { cause })));
    return child;
  }

  #gone(child: ChildProcess, error: Error): void {
    if (this.#child !== child) return;
    this.#end(error);
  }

  #end(error: Error): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
    this.#waiting?.reject(error);
  }
}

/** Sends bytes in parts, each when the one before is on its way, then the request. */
async function send(child: ChildProcess, request: object, bytes: Uint8Array | undefined): Promise<void> {
  const post = (message: object | number) =>
    new Promise<void>((resolve, reject) =>
      child.send(message, (error: Error | null) => (error ? reject(error) : resolve())),
    );
  if (bytes) await post(bytes.length);
  for (let at = 0; bytes && at < bytes.length; at += PART_BYTES) await post(bytes.subarray(at, at + PART_BYTES));
  await post(request);
}

function keepAlive(child: ChildProcess, isWanted: boolean): void {
  for (const held of [child, child.channel]) {
    if (isWanted) held?.ref();
    else held?.unref();
  }
}
