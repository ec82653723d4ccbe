import { connect, type Socket } from 'node:net';

/** Bytes read from a socket at once, into a reused buffer. */
const READ_BYTES = 1024 * 1024;

/**
 * A keep-alive connection that counts the bytes of answers and stores none: otherwise many clients on one machine would
 * cost more than the server, although real clients run elsewhere.
 */
export class Drain {
  readonly #socket: Socket;
  /** The beginning of the answer, until its head has told the length. */
  #head = '';
  #left = 0;
  #length = 0;
  #waiting: { resolve: (length: number) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('close', () => this.#waiting?.reject(new Error('the connection was closed')));
    socket.on('error', (error) => this.#waiting?.reject(error));
  }

  static open(port: number, buffer = Buffer.allocUnsafe(READ_BYTES)): Promise<Drain> {
    return new Promise((resolve, reject) => {
      let onRead = (_count: number): void => undefined;
      const callback = (count: number) => {
        onRead(count);
        return true;
      };
      const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } }, () => {
        const drain = new Drain(socket);
        onRead = (count) => drain.#read(buffer, count);
        resolve(drain);
      });
      socket.once('error', reject);
    });
  }

  /** Sends a request and resolves with the length of the answer's body, once the last byte has arrived. */
  send(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #read(buffer: Buffer, count: number): void {
    if (this.#length === 0) this.#begin(buffer.toString('latin1', 0, count));
    else this.#left -= count;
    if (this.#length === 0 || this.#left > 0) return;
    const length = this.#length;
    this.#length = 0;
    this.#waiting?.resolve(length);
  }

  #begin(text: string): void {
    this.#head += text;
    const end = this.#head.indexOf('\r\n\r\n') + 4;
    if (end < 4) return;
    if (!this.#head.startsWith('HTTP/1.1 200')) this.#waiting?.reject(new Error(this.#head.slice(0, 500)));
    this.#length = Number(/content-length: (\d+)/i.exec(this.#head)?.[1] ?? 0);
    this.#left = end + this.#length - this.#head.length;
    this.#head = '';
  }
}
