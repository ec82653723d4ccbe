import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

const BIND = 0x60;

/** One element of BER (X.690): a tag, a length, and the content. */
function element(tag: number, ...content: readonly Buffer[]): Buffer {
  const whole = Buffer.concat(content);
  const length = Buffer.alloc(5, 0x84);
  length.writeUInt32BE(whole.length, 1);
  return Buffer.concat([Buffer.of(tag), length, whole]);
}

const text = (value: string) => element(0x04, Buffer.from(value));
/** A number from 0 to 32,767. */
const integer = (value: number) => element(0x02, Buffer.of(value >> 8, value & 0xff));
const message = (id: number, ...content: readonly Buffer[]) => element(0x30, integer(id), ...content);

/** The response to a bind (0x61) or a search (0x65), with its result code. */
export const resultOf = (id: number, tag: number, code = 0) =>
  message(id, element(tag, element(0x0a, Buffer.of(code)), text(''), text('')));

/** The end of a page of a search, after which there is another one (RFC 2696). */
export const pageEndOf = (id: number) =>
  message(
    id,
    element(0x65, element(0x0a, Buffer.of(0)), text(''), text('')),
    element(
      0xa0,
      element(0x30, text('1.2.840.113556.1.4.319'), element(0x04, element(0x30, integer(0), text('more')))),
    ),
  );

/** A person who is found. */
export const entryOf = (id: number, name: string) =>
  message(id, element(0x64, text(name), element(0x30, element(0x30, text('mail'), element(0x31, text(name))))));

/** A reference to another server. */
export const referenceOf = (id: number) => message(id, element(0x73, text('ldap://127.0.0.1:1/')));

/** What a directory does with a request: its connection, ID and tag. */
export type Lie = (socket: Socket, id: number, tag: number) => void;

/** A server that speaks as much LDAP as it takes to lie. */
export class LyingDirectory {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Connections so far, and most of them at the same time. */
  visits = 0;
  most = 0;

  private constructor(server: Server, lie: Lie) {
    this.#server = server;
    this.url = `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (socket) => {
      this.visits++;
      this.most = Math.max(this.most, this.#sockets.add(socket).size);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
      socket.on('data', (request) => {
        const head = (request[1] ?? 0) < 0x80 ? 2 : 2 + ((request[1] ?? 0) - 0x80);
        const [length = 1] = request.subarray(head + 1);
        const place = head + 2;
        lie(socket, request.readUIntBE(place, length), request[place + length] ?? 0);
      });
    });
  }

  static async open(lie: Lie): Promise<LyingDirectory> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LyingDirectory(server, lie);
  }

  /** Connections that are open. */
  get open(): number {
    return this.#sockets.size;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

/** Accepts every password, and lies when it is asked for people. */
export const afterBind =
  (lie: Lie): Lie =>
  (socket, id, tag) => {
    if (tag === BIND) socket.write(resultOf(id, 0x61));
    else lie(socket, id, tag);
  };

/** Writes the same again and again for as long as it is read. */
export function pour(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}
