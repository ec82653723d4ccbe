import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { systemClock } from '#kernel/clock';

/**
 * What happens to bytes: `drop` loses them in both directions without a word, `garble` brings others from the server, and `refuse`
 * takes no connections.
 */
type Mode = 'pass' | 'drop' | 'garble' | 'refuse';

/** A stretch of network between a server and what it needs: it can be cut, be slow, lose everything, or lead elsewhere. */
export class Proxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #mode: Mode = 'pass';
  #delayMs = 0;
  target: number;
  port = 0;

  constructor(target: number) {
    this.target = target;
    this.#server = createServer((socket) => this.#join(socket));
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.port = typeof address === 'object' && address ? address.port : 0;
  }

  set(mode: Mode, delayMs = 0): void {
    this.#mode = mode;
    this.#delayMs = delayMs;
    if (mode === 'refuse') this.cut();
  }

  /** Connections that go through it now. */
  get open(): number {
    return this.#pairs.size;
  }

  /** Breaks every connection. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.#server.close(resolve);
    });
    this.cut();
    await closed;
  }

  #join(near: Socket): void {
    if (this.#mode === 'refuse') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(this.target, '127.0.0.1');
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true);
      from.on('data', (chunk) => this.#carry(this.#mode === 'garble' && from === far ? other(chunk) : chunk, to));
      // What is dropped includes the news that a side has gone.
      from.on('close', () => {
        this.#pairs.delete(pair);
        if (this.#mode !== 'drop') to.destroy();
      });
      from.on('error', () => undefined);
    }
  }

  #carry(chunk: Buffer, to: Socket): void {
    if (this.#mode === 'drop') return;
    if (this.#delayMs === 0) to.write(chunk);
    else systemClock.after(this.#delayMs, () => to.write(chunk));
  }
}

/** As many bytes that mean nothing. */
function other(chunk: Buffer): Buffer {
  return Buffer.alloc(chunk.length, 'hello there\r\n');
}
