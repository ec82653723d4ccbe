import { Connection } from './connection.ts';

/** Milliseconds after which an idle connection is not reused, because the server may be about to close it. */
const MAX_IDLE_MS = 30_000;

/** Keep-alive connections shared by many clients, as behind a reverse proxy: another is opened when all are busy. */
export class Pool {
  readonly #port: number;
  readonly #idle: { readonly connection: Connection; readonly since: number }[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a request and resolves with the body of the answer. Rejects for any status but 200. */
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

  /** Returns the connection used last, so that those that only a burst needed expire. */
  #take(): Connection | undefined {
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) {
      if (!last.connection.isClosed && performance.now() - last.since < MAX_IDLE_MS) return last.connection;
      last.connection.close();
    }
    return undefined;
  }
}
