import { type Account, Connection, request } from './connection.ts';
import { Follower } from './follower.ts';

/** Number of connections that share the sending, so that one slow answer does not delay the others. */
const SENDERS = 10;
/** Milliseconds until a sender continues after a request without an answer. */
const RETRY_MS = 20;
/** Milliseconds at the end within which queues must receive what they still lack. */
const PATIENCE_MS = 5000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** The amount of traffic. */
interface Pace {
  readonly queues: number;
  readonly messagesPerSecond: number;
}

/** Sends messages to one channel at a steady rate, with clients that receive them, while the server restarts. */
export class Traffic {
  readonly #port: number;
  readonly #accounts: readonly Account[];
  readonly #pace: Pace;
  #followers: readonly Follower[] = [];
  readonly #acknowledged: string[] = [];
  #following: Promise<unknown>[] = [];
  #sending: Promise<unknown>[] = [];
  #isOver = false;
  #sent = 0;
  #answeredAt = Number.POSITIVE_INFINITY;
  /** Longest time, in milliseconds, in which no poll and no send was answered. */
  longestSilence = 0;

  constructor(port: number, accounts: readonly Account[], pace: Pace) {
    this.#port = port;
    this.#accounts = accounts;
    this.#pace = pace;
  }

  async begin(): Promise<void> {
    const hearers = this.#accounts.slice(0, this.#pace.queues);
    const onAnswer = () => this.#noteAnswer();
    this.#followers = await Promise.all(hearers.map((account) => Follower.register(this.#port, account, onAnswer)));
    this.#following = this.#followers.map((follower) => follower.follow());
    this.#sending = Array.from({ length: SENDERS }, (_, sender) => this.#send(sender));
  }

  /** Waits until every queue has received a message sent after a moment; returns the milliseconds that took. */
  async heardByAllAfter(moment: number): Promise<number> {
    const hasHeard = (follower: Follower) => follower.heardAt > moment || follower.hasLostQueue;
    while (!this.#followers.every(hasHeard)) await pause(1);
    return performance.now() - moment;
  }

  /** Stops once everybody has received everything, or after a time limit; returns the results. */
  async end(): Promise<string> {
    this.#isOver = true;
    await Promise.all(this.#sending);
    const deadline = performance.now() + PATIENCE_MS;
    while (this.#count(missing(this.#acknowledged)) > 0 && performance.now() < deadline) await pause(50);
    for (const follower of this.#followers) follower.end();
    await Promise.all(this.#following);
    const lost = this.#count(missing(this.#acknowledged));
    const doubled = this.#count(({ heard, outOfOrder }) => outOfOrder + heard.length - new Set(heard).size);
    const again = this.#count(({ hasLostQueue }) => Number(hasLostQueue));
    return `${this.#acknowledged.length} sent; ${lost} lost, ${doubled} doubled, ${again} registered again`;
  }

  #count(of: (follower: Follower) => number): number {
    return this.#followers.reduce((sum, follower) => sum + of(follower), 0);
  }

  #noteAnswer(): void {
    const now = performance.now();
    this.longestSilence = Math.max(this.longestSilence, now - this.#answeredAt);
    this.#answeredAt = now;
  }

  /** Sends a share of the messages; an unanswered one is not repeated, because it may have arrived. */
  async #send(sender: number): Promise<void> {
    const every = (SENDERS * 1000) / this.#pace.messagesPerSecond;
    const account = this.#accounts[sender % this.#accounts.length];
    let connection: Connection | undefined;
    for (let due = performance.now() + (sender * every) / SENDERS; !this.#isOver; due += every) {
      await pause(due - performance.now());
      const content = `message ${++this.#sent}`;
      const bytes = request(account, 'POST', '/messages', { type: 'channel', to: 'channel 0', topic: 't', content });
      try {
        if (!connection || connection.isClosed) connection = await Connection.open(this.#port);
        await connection.send(bytes);
        this.#acknowledged.push(content);
        this.#noteAnswer();
      } catch {
        await pause(RETRY_MS);
        // Messages that are due while the server is away are not sent later.
        due = performance.now();
      }
    }
    connection?.close();
  }
}

/** Returns a function that counts the messages that a follower did not receive. */
function missing(sent: readonly string[]) {
  return ({ heard }: Follower): number => {
    const told = new Set(heard);
    return sent.filter((content) => !told.has(content)).length;
  };
}
