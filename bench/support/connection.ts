import { connect, type Socket } from 'node:net';

/** A keep-alive connection that sends prepared bytes and reads answers by their content-length; nothing more. */
export class Connection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #received = 0;
  /** Bytes of the whole answer, once its head is parsed; 0 before. */
  #expected = 0;
  #waiting: { resolve: (body: Buffer) => void; reject: (error: Error) => void } | undefined;

  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('close', () => {
      this.#isClosed = true;
      this.#waiting?.reject(new Error('the connection was closed'));
    });
    socket.on('error', (error) => this.#waiting?.reject(error));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /** Whether the server has closed it, as it does with long idle connections. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sends a request and resolves with the body of the answer. */
  send(request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  /** Closes it; a request that waits for an answer is rejected. */
  close(): void {
    this.#socket.destroy();
  }

  /** Collects pieces until the answer is complete: joining them at each would copy a long one many times. */
  #read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#received < this.#expected) return;
    const buffer = Buffer.concat(this.#chunks);
    this.#chunks = [buffer];
    const headEnd = buffer.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = buffer.toString('latin1', 0, headEnd);
    const end = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    this.#expected = end;
    if (buffer.length < end) return;
    const body = buffer.subarray(headEnd + 4, end);
    this.#chunks = [buffer.subarray(end)];
    this.#received = buffer.length - end;
    this.#expected = 0;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (head.startsWith('HTTP/1.1 200')) waiting?.resolve(body);
    else waiting?.reject(new Error(`${head.split('\r\n', 1)[0] ?? ''}: ${body.toString('utf8', 0, 300)}`));
  }
}

/** The account of a sender. */
export interface Account {
  readonly id: number;
  readonly email: string;
  readonly api_key: string;
}

/** Returns the Authorization header of an account. */
export function authorizationOf({ email, api_key }: Account): string {
  return `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`;
}

/** Returns the bytes of a request for a page or a file. */
export function pageRequest(account: Account, path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorizationOf(account)}\r\n\r\n`);
}

/** Returns the bytes of an API request. Strings are sent as they are, everything else as JSON. */
export function request(
  account: Account | undefined,
  method: string,
  path: string,
  fields: Readonly<Record<string, unknown>> = {},
  headers = '',
): Buffer {
  const form = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
  const url = `/api/v1${path}${method === 'GET' && form !== '' ? `?${form}` : ''}`;
  const authorization = account ? `Authorization: ${authorizationOf(account)}\r\n` : '';
  const body = method === 'GET' ? '' : form;
  const type =
    method === 'GET'
      ? ''
      : `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${url} HTTP/1.1\r\nHost: localhost\r\n${authorization}${type}${headers}\r\n${body}`);
}
