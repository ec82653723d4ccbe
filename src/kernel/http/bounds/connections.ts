import type { Socket } from 'node:net';
import { networkOf } from '#kernel/limits';

/** Most requests in progress on one connection; no known client sends the next one before the reply. */
const MAX_UNDER_WAY = 16;
/** Sent on a connection beyond the limit, instead of a reply to its request, which is not read. */
const NO_ROOM =
  'HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 5\r\nContent-Length: 21\r\nConnection: close\r\n\r\nToo many connections\n';

/** Tells Node's parser that the rest is not HTTP, so that it stops. */
const UPGRADED = 2;

/**
 * Stops parsing requests that have already arrived: one read can contain a thousand small ones, and Node would create a
 * request, a response and, when the connection ends, an error for each. The socket's `parser` is not documented, so it
 * may be missing.
 */
function stopParsing(socket: Socket & { readonly parser?: { onIncoming?: unknown } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => UPGRADED;
}

/** The connections of one network, or all of them; `waiting` has those that are idle, the oldest first. */
class Group {
  readonly waiting = new Set<Socket>();
  open = 0;
  parked = 0;

  /**
   * Makes room for one more connection by closing the oldest idle one; false if that is not possible. Parked polls do
   * not count.
   */
  makeRoom(max: number, close: (oldest: Socket) => void): boolean {
    if (this.open - this.parked < max) return true;
    const [oldest] = this.waiting;
    if (!oldest) return false;
    close(oldest);
    return true;
  }
}

interface State {
  /** The client's network; undefined for a trusted proxy, which has many clients. */
  readonly network: string | undefined;
  /**
   * Whether a request on it was authenticated. Stays false for a trusted proxy, whose connections many clients share.
   */
  isKnown: boolean;
  underWay: number;
  /** Requests that wait for the ones before them. */
  readonly later: (() => void)[];
  parked: number;
}

interface ConnectionsOptions {
  readonly max: number;
  readonly maxPerNetwork: number;
  readonly isProxy: (address: string) => boolean;
  readonly onRefused: (reason: 'connections' | 'connections_of_address' | 'pipelining') => void;
}

/** Limits the server's connections, in total and per network. Parked polls do not count. */
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

  /** Counts a new connection, or closes it if there are too many. Idle connections are closed first. */
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
    this.#states.set(socket, { network, isKnown: false, underWay: 0, later: [], parked: 0 });
    for (const group of this.#groups(network)) {
      group.open++;
      group.waiting.add(socket);
    }
    socket.once('close', () => this.#forget(socket));
  }

  /** Records that a request began; closes the connection and returns false if too many are in progress on it. */
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

  /** Records that a request ended. */
  end(socket: Socket): void {
    const state = this.#states.get(socket);
    if (!state) return;
    const next = state.later.shift();
    if (next) setImmediate(() => !socket.destroyed && next());
    if (--state.underWay > 0) return;
    for (const group of this.#groups(state.network)) group.waiting.add(socket);
  }

  /**
   * Runs a request after the ones before it on its connection. Their replies must go out first anyway, and pipelining
   * must not give a client more than one connection's share.
   */
  inTurn(socket: Socket, work: () => void): void {
    const state = this.#states.get(socket);
    if (state && state.underWay > 1) state.later.push(work);
    else work();
  }

  /** Records that a request on a connection was authenticated. */
  know(socket: Socket): void {
    const state = this.#states.get(socket);
    if (state?.network !== undefined) state.isKnown = true;
  }

  /** Whether a request on a connection was authenticated; also true if there is no connection, as in tests. */
  isKnown(socket: Socket): boolean {
    return this.#states.get(socket)?.isKnown ?? true;
  }

  /** Stops counting a connection while a poll is parked on it; the returned function counts it again. */
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
