import { connect, type Socket } from 'node:net';

/** A TCP connection, for bytes that no HTTP client would send. */
export interface RawConnection {
  readonly socket: Socket;
  /** Sends text; each line end becomes CRLF. */
  readonly write: (text: string) => void;
  /** Returns all text received so far. */
  readonly text: () => string;
  /** Resolves with all received text when the other side has closed or broken the connection. */
  readonly closed: Promise<string>;
  /** Resolves when this text was received, or the connection has ended. */
  readonly until: (wanted: string) => Promise<string>;
}

/** Opens a connection to this machine; `from` is one of its loopback addresses, each of which is limited on its own. */
export function openRaw(port: number, from = '127.0.0.1'): RawConnection {
  let text = '';
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve(text));
  });
  const until = async (wanted: string) => {
    while (!text.includes(wanted) && !socket.closed)
      await Promise.race([closed, new Promise((resolve) => socket.once('data', resolve))]);
    return text;
  };
  return { socket, closed, until, text: () => text, write: (bytes) => void socket.write(lines(bytes)) };
}

/** Returns a text with HTTP's line ends. */
export function lines(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

/**
 * Sends a chunk `times` times as fast as it is accepted, or until the connection has ended; returns the number of bytes
 * sent.
 */
export async function pour({ socket, closed }: RawConnection, chunk: Buffer | string, times: number): Promise<number> {
  let sent = 0;
  for (let time = 0; time < times && !socket.closed && socket.writable; time++) {
    sent += chunk.length;
    if (!socket.write(chunk)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
  }
  return sent;
}
