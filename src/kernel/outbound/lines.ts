import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '#kernel/clock';

/** Milliseconds that a receiver has to take a connection, and then each message. */
const PATIENCE_MS = 10_000;

/** A connection to a receiver of log messages that the operator named: `tcp://host:port` or `tls://host:port`. */
export interface LogConnection {
  /** Resolves when the system has taken the message; throws when it does not within ten seconds. */
  send(message: string): Promise<void>;
  close(): void;
}

/** Connects, or throws with one line that says why not. */
export async function connectToLog(address: URL, clock: Clock): Promise<LogConnection> {
  const [host, port] = [address.hostname.replaceAll(/^\[|\]$/g, ''), Number(address.port)];
  const socket = address.protocol === 'tls:' ? connectTls({ host, port, servername: host }) : connect({ host, port });
  const ended = new Promise<never>((_resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`${address.host} closed the connection`)));
  });
  // The sender gets the error.
  ended.catch(() => undefined);
  // What it says is not read; it may say any amount.
  socket.resume();
  const ready = address.protocol === 'tls:' ? 'secureConnect' : 'connect';
  /** Waits for a step of the connection, which ends with it and after its time. */
  const within = async (begin: (done: (error?: Error | null) => void) => void): Promise<void> => {
    let late: { cancel(): void } | undefined;
    const step = new Promise<void>((resolve, reject) => {
      late = clock.after(PATIENCE_MS, () => {
        socket.destroy();
        reject(new Error(`${address.host} gave no answer within ${PATIENCE_MS / 1000} seconds`));
      });
      begin((error) => (error ? reject(error) : resolve()));
    });
    try {
      await Promise.race([step, ended]);
    } finally {
      late?.cancel();
    }
  };
  await within((done) => socket.once(ready, () => done()));
  return {
    send: (message) => within((done) => void socket.write(message, done)),
    close: () => socket.end(),
  };
}
