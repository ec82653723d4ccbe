import { Agent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';

/** Milliseconds for which a connection waits for the next request to its host. */
const IDLE_MS = 4_000;
/** Connections that wait, to one host and to all. People choose the hosts, so there may be any number. */
const MAX_IDLE = { host: 200, all: 400 } as const;

/**
 * Keeps connections open for the next request to the same host and port: many notifications go to few push services,
 * and most of the cost of one is the handshake. A connection is reused only for the host for which its address was
 * checked. It does not keep the process alive.
 */
export class Pool extends Agent {
  constructor() {
    super({ keepAlive: true, maxFreeSockets: MAX_IDLE.host, scheduling: 'lifo', timeout: IDLE_MS });
  }

  /** Dials as the request says, to the addresses that were checked for it. */
  override createConnection(
    options: RequestOptions,
    connected?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    return options.createConnection?.(options, connected ?? (() => undefined));
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const idle = Object.values(this.freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
    const isAlive: unknown = super.keepSocketAlive(socket);
    return isAlive === true && idle < MAX_IDLE.all;
  }
}
