import type { Account } from './connection.ts';
import { type HeardEvent, Listener, MESSAGES_ONLY } from './listener.ts';

/**
 * Milliseconds after which a client repeats an unanswered request. Real clients wait longer; this one notices at once
 * that the server is back.
 */
const RETRY_MS = 100;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A client that keeps its queue while its server restarts, and records the events. */
export class Follower {
  readonly #listener: Listener;
  readonly #onAnswer: () => void;
  #isOver = false;
  #last: number;
  /** Contents of the messages that it received, in order. */
  readonly heard: string[] = [];
  /** Time of the last of them, on the clock of `performance`. */
  heardAt = 0;
  /** Number of events that were repeated or came after later ones. */
  outOfOrder = 0;
  /** Whether its queue was gone, so that a client would have to register again. */
  hasLostQueue = false;

  private constructor(listener: Listener, onAnswer: () => void) {
    this.#listener = listener;
    this.#last = listener.last;
    this.#onAnswer = onAnswer;
  }

  static async register(port: number, account: Account, onAnswer: () => void): Promise<Follower> {
    return new Follower(await Listener.register(port, account, { ...MESSAGES_ONLY, apply_markdown: false }), onAnswer);
  }

  /** Polls until it is stopped. */
  async follow(): Promise<void> {
    while (!this.#isOver && !this.hasLostQueue) {
      const events = await this.#listener.next().catch(async (error: Error) => {
        this.hasLostQueue ||= error.message.includes('BAD_EVENT_QUEUE_ID');
        if (!this.#isOver) await pause(RETRY_MS);
      });
      if (events) this.#take(events);
    }
  }

  end(): void {
    this.#isOver = true;
    this.#listener.close();
  }

  #take(events: readonly HeardEvent[]): void {
    this.#onAnswer();
    for (const { id, message } of events) {
      if (id <= this.#last) this.outOfOrder++;
      this.#last = id;
      if (!message) continue;
      this.heard.push(message.content);
      this.heardAt = performance.now();
    }
  }
}
