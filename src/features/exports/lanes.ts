/** Tasks that run concurrently, at most a given number at a time. */
export class Lanes {
  readonly #most: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Begins a task as soon as there is room for it; throws the error of an earlier one that failed. */
  async begin(work: () => Promise<unknown>): Promise<void> {
    while (this.#running.size >= this.#most) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure.error;
    const running = this.#run(work).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Waits until all tasks have ended, and throws the error of one that failed. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.error;
  }

  async #run(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failure ??= { error };
    }
  }
}
