import { type Account, Connection, request } from './connection.ts';

/** Milliseconds until a client asks again that was not answered. Those in life wait longer: this finds the server back. */
const RETRY_MS = 100;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Registered {
  readonly queue_id: string;
  readonly last_event_id: number;
}

interface Answer {
  readonly events: readonly { readonly id: number; readonly message?: { readonly content: string } }[];
}

/** A client that stays with its queue while its server goes and comes back, and writes down what it is told. */
export class Follower {
  readonly #port: number;
  readonly #account: Account;
  readonly #onAnswer: () => void;
  #connection: Connection | undefined;
  #queue: Registered = { queue_id: '', last_event_id: -1 };
  #isOver = false;
  /** Contents of the messages it was told of, in that order. */
  readonly heard: string[] = [];
  /** When it was told of the last of them, on the clock of `performance`. */
  heardAt = 0;
  /** Events that came again, or behind later ones. */
  outOfOrder = 0;
  /** Whether its queue was gone, so that a client had to begin anew. */
  hasLostQueue = false;

  constructor(port: number, account: Account, onAnswer: () => void) {
    this.#port = port;
    this.#account = account;
    this.#onAnswer = onAnswer;
  }

  async register(): Promise<void> {
    const fields = { event_types: ['message'], fetch_event_types: [], apply_markdown: false };
    this.#queue = JSON.parse(await this.#ask('POST', '/register', fields));
  }

  /** Polls until it is ended. */
  async follow(): Promise<void> {
    while (!this.#isOver && !this.hasLostQueue) {
      const { queue_id, last_event_id } = this.#queue;
      const body = await this.#ask('GET', '/events', { queue_id, last_event_id }).catch(async (error: Error) => {
        this.hasLostQueue ||= error.message.includes('BAD_EVENT_QUEUE_ID');
        if (!this.#isOver) await pause(RETRY_MS);
      });
      if (body !== undefined) this.#take(JSON.parse(body));
    }
  }

  end(): void {
    this.#isOver = true;
    this.#connection?.close();
  }

  async #ask(method: string, path: string, fields: Readonly<Record<string, unknown>>): Promise<string> {
    if (!this.#connection || this.#connection.isClosed) this.#connection = await Connection.open(this.#port);
    return (await this.#connection.send(request(this.#account, method, path, fields))).toString();
  }

  #take({ events }: Answer): void {
    this.#onAnswer();
    for (const { id, message } of events) {
      if (id <= this.#queue.last_event_id) this.outOfOrder++;
      this.#queue = { ...this.#queue, last_event_id: id };
      if (!message) continue;
      this.heard.push(message.content);
      this.heardAt = performance.now();
    }
  }
}
