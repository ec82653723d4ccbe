import { together } from '../together.ts';

/** Statements of a transaction whose answers nobody needs before its commit, which goes out right behind them. */
export class Unanswered {
  #answers: Promise<unknown>[] = [];

  add(answer: Promise<unknown>): void {
    answer.catch(() => undefined);
    this.#answers.push(answer);
  }

  /** Resolves when all are answered; fails as the first of them that failed. */
  async answered(): Promise<void> {
    const answers = this.#answers;
    this.#answers = [];
    await together(answers);
  }

  /** The transaction has ended. */
  end(): void {
    this.#answers = [];
  }
}
