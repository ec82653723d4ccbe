import { type Account, Connection, request } from './connection.ts';

/** The fields of an event that measurements use. */
export interface HeardEvent {
  readonly id: number;
  readonly type: string;
  readonly message?: { readonly id: number; readonly content: string; readonly subject: string };
}

interface Registered {
  readonly queue_id: string;
  readonly last_event_id: number;
}

/** Register parameters of most measurements: messages, and no state. */
export const MESSAGES_ONLY = { event_types: ['message'], fetch_event_types: [] };

/** A queue and its polling connection, which is opened again when the server has closed it. */
export class Listener {
  readonly #port: number;
  readonly #account: Account;
  readonly #queueId: string;
  #connection: Connection;
  last: number;

  private constructor(port: number, account: Account, connection: Connection, registered: Registered) {
    this.#port = port;
    this.#account = account;
    this.#connection = connection;
    this.#queueId = registered.queue_id;
    this.last = registered.last_event_id;
  }

  static async register(
    port: number,
    account: Account,
    fields: Readonly<Record<string, unknown>> = MESSAGES_ONLY,
  ): Promise<Listener> {
    const connection = await Connection.open(port);
    const body = await connection.send(request(account, 'POST', '/register', fields));
    return new Listener(port, account, connection, JSON.parse(body.toString()));
  }

  /** Polls once; returns the events. */
  async next(): Promise<readonly HeardEvent[]> {
    if (this.#connection.isClosed) this.#connection = await Connection.open(this.#port);
    const body = await this.#connection.send(
      request(this.#account, 'GET', '/events', { queue_id: this.#queueId, last_event_id: this.last }),
    );
    const { events }: { events: readonly HeardEvent[] } = JSON.parse(body.toString());
    this.last = events.at(-1)?.id ?? this.last;
    return events;
  }

  close(): void {
    this.#connection.close();
  }
}
