import { pause } from './pause.ts';

/** A browser program: what can be closed, and tells when it ended by itself. */
interface Program {
  close(): Promise<void>;
  on(event: 'disconnected', listener: () => void): unknown;
}

/** How long a program that nobody uses waits for the next user: a start costs nearly a second of processor time. */
const LINGER_MS = 2000;

/** Starts a program for the first who borrows it, lends it to all others meanwhile, and ends it when nobody uses it. */
export class SharedProgram<P extends Program> {
  readonly #launch: () => Promise<P>;
  #program: Promise<P> | undefined;
  #borrowers = 0;

  constructor(launch: () => Promise<P>) {
    this.#launch = launch;
  }

  /** The running program, or a new one. Who borrows it gives it back once; a start that fails need not be given back. */
  async borrow(): Promise<P> {
    this.#program ??= this.#start();
    this.#borrowers++;
    try {
      return await this.#program;
    } catch (error) {
      this.#borrowers--;
      throw error;
    }
  }

  #start(): Promise<P> {
    const program = this.#launch();
    const forget = () => this.#forget(program);
    void program.then((running) => running.on('disconnected', forget), forget);
    return program;
  }

  giveBack(): void {
    if (--this.#borrowers === 0) void this.#endUnused();
  }

  async #endUnused(): Promise<void> {
    const program = this.#program;
    await pause(LINGER_MS);
    if (this.#borrowers > 0 || program !== this.#program) return;
    this.#forget(program);
    const running = await program;
    await running?.close();
  }

  /** Forgets a program that ended; a newer one stays. */
  #forget(program: Promise<P> | undefined): void {
    if (this.#program === program) this.#program = undefined;
  }
}
