import type { Socket } from 'node:net';
import { networkOf } from '#kernel/limits';

/** Requests that may be under way on one connection; no client in the field sends the next before the answer. */
const MAX_UNDER_WAY = 16;
/** Sent on a connection for which there is no room, in place of an answer to a request that was not read. */
const NO_ROOM =
  'HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 5\r\nContent-Length: 21\r\nConnection: close\r\n\r\nToo many connections\n';

/** What a parser is told to take no more of what it was given: it is no HTTP from here on. */
const UPGRADED = 2;

/**
 * Takes no more of the requests that have arrived: one read of a connection brings a thousand small ones, and Node would make a
 * request and a response, and when the connection ends an error, for each. Its parser is no documented part of a socket, so it
 * may be missing.
 */
function stopParsing(socket: Socket & { readonly parser?: { onIncoming?: unknown } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => UPGRADED;
}

/** Connections of one network, or of all; those that wait for a request come first to be closed, the oldest of them first. */
class Group {
  readonly waiting = new Set<Socket>();
  open = 0;
  parked = 0;

  /** Whether there is room for one more; polls that are parked take none. */
  makeRoom(max: number, close: (oldest: Socket) => void): boolean {
    if (this.open - this.parked < max) return true;
    const [oldest] = this.waiting;
    if (!oldest) return false;
    close(oldest);
    return true;
  }
}

interface State {
  /** The network it came from; undefined for a trusted proxy, which brings many people. */
  readonly network: string | undefined;
  underWay: number;
  /** Requests that wait for those before them. */
  readonly later: (() => void)[];
  parked: number;
}

interface ConnectionsOptions {
  readonly max: number;
  readonly maxPerNetwork: number;
  readonly isProxy: (address: string) => boolean;
  readonly onRefused: (reason: 'connections' | 'connections_of_address' | 'pipelining') => void;
}

/** Bounds the server's connections, in all and for each address they come from. Parked polls do not count. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #states = new Map<Socket, State>();
  readonly #all = new Group();
  readonly #networks = new Map<string, Group>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#states.size;
  }

  /** Takes a connection, or closes it where there are too many. One that only waits for a request makes room. */
  admit(socket: Socket): void {
    const { max, maxPerNetwork, isProxy, onRefused } = this.#options;
    const address = socket.remoteAddress ?? '';
    const network = isProxy(address) ? undefined : networkOf(address);
    const close = (oldest: Socket) => this.#close(oldest);
    if (network !== undefined && !this.#groupOf(network).makeRoom(maxPerNetwork, close)) {
      onRefused('connections_of_address');
      return refuse(socket);
    }
    if (!this.#all.makeRoom(max, close)) {
      onRefused('connections');
      return refuse(socket);
    }
    this.#states.set(socket, { network, underWay: 0, later: [], parked: 0 });
    for (const group of this.#groups(network)) {
      group.open++;
      group.waiting.add(socket);
    }
    socket.once('close', () => this.#forget(socket));
  }

  /** Notes that a request has come; false, and the connection ends, when too many are under way on it. */
  begin(socket: Socket): boolean {
    const state = this.#states.get(socket);
    if (!state) return true;
    if (++state.underWay > MAX_UNDER_WAY) {
      this.#options.onRefused('pipelining');
      stopParsing(socket);
      socket.destroy();
      return false;
    }
    for (const group of this.#groups(state.network)) group.waiting.delete(socket);
    return true;
  }

  /** Notes that a request has been answered. */
  end(socket: Socket): void {
    const state = this.#states.get(socket);
    if (!state) return;
    const next = state.later.shift();
    if (next) setImmediate(() => !socket.destroyed && next());
    if (--state.underWay > 0) return;
    for (const group of this.#groups(state.network)) group.waiting.add(socket);
  }

  /**
   * Runs a request when those before it on its connection have been answered, whose answers must be first anyway: so many
   * requests on few connections are served no sooner than one on each of many.
   */
  inTurn(socket: Socket, work: () => void): void {
    const state = this.#states.get(socket);
    if (state && state.underWay > 1) state.later.push(work);
    else work();
  }

  /** Does not count a connection while a poll waits on it; what is returned counts it again. */
  park(socket: Socket): () => void {
    this.#addParked(socket, 1);
    return () => this.#addParked(socket, -1);
  }

  #addParked(socket: Socket, change: 1 | -1): void {
    const state = this.#states.get(socket);
    if (!state) return;
    const before = state.parked;
    state.parked += change;
    if (before > 0 === state.parked > 0) return;
    for (const group of this.#groups(state.network)) group.parked += change;
  }

  #close(oldest: Socket): void {
    this.#forget(oldest);
    oldest.destroy();
  }

  #forget(socket: Socket): void {
    const state = this.#states.get(socket);
    if (!state) return;
    this.#states.delete(socket);
    for (const group of this.#groups(state.network)) {
      group.waiting.delete(socket);
      group.open--;
      if (state.parked > 0) group.parked--;
    }
    const { network } = state;
    if (network !== undefined && this.#groupOf(network).open === 0) this.#networks.delete(network);
  }

  #groups(network: string | undefined): readonly Group[] {
    return network === undefined ? [this.#all] : [this.#all, this.#groupOf(network)];
  }

  #groupOf(network: string): Group {
    let group = this.#networks.get(network);
    if (!group) this.#networks.set(network, (group = new Group()));
    return group;
  }
}

function refuse(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.end(NO_ROOM, () => socket.destroy());
}
