import { Connection } from './connection.ts';

/** Idle connections older than this, in milliseconds, are not used again: the server may be about to end them. */
const MAX_IDLE_MS = 30_000;

/** Kept-alive connections that many clients share, as behind a reverse proxy: one more is opened when all are busy. */
export class Pool {
  readonly #port: number;
  readonly #idle: { readonly connection: Connection; readonly since: number }[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a request; the body of its answer. Rejects for any answer but 200. */
  async send(bytes: Buffer): Promise<Buffer> {
    const connection = this.#take() ?? (await Connection.open(this.#port));
    try {
      const body = await connection.send(bytes);
      this.#idle.push({ connection, since: performance.now() });
      return body;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  close(): void {
    for (const { connection } of this.#idle) connection.close();
  }

  /** The one used last: those that too many clients at once needed grow old. */
  #take(): Connection | undefined {
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) {
      if (!last.connection.isClosed && performance.now() - last.since < MAX_IDLE_MS) return last.connection;
      last.connection.close();
    }
    return undefined;
  }
}
