import { together } from '../together.ts';

/** Statements of a transaction whose results are not needed before its commit, which is sent directly after them. */
export class Unanswered {
  #answers: Promise<unknown>[] = [];

  add(answer: Promise<unknown>): void {
    answer.catch(() => undefined);
    this.#answers.push(answer);
  }

  /** Resolves when all have results; rejects with the first failure. */
  async answered(): Promise<void> {
    const answers = this.#answers;
    this.#answers = [];
    await together(answers);
  }

  /** Ends the transaction. */
  end(): void {
    this.#answers = [];
  }
}
