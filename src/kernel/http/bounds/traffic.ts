import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#kernel/clock';
import { BodyTooSlow, ServerBusy } from '#kernel/errors';
import type { Context } from '#kernel/context';
import { networkOf } from '#kernel/limits';
import { Turns } from '#kernel/threads';
import { refuse } from '../answer.ts';
import { apiHeaders } from '../headers.ts';
import type { Proxies } from '../proxies.ts';
import { Connections } from './connections.ts';
import { HeldBytes } from './held-bytes.ts';
import { Pace } from './pace.ts';
import { Portions } from './portions.ts';
import { hasBody } from './rest.ts';
import { WaitingResponses } from './waiting-responses.ts';

const MIB = 2 ** 20;
/** Room reserved for small bodies: of a thousand networks that log in, and of hundreds of users who send messages. */
const UNKNOWN_RESERVE = { small: 4096, bytes: 4 * MIB };
const KNOWN_RESERVE = { small: 64 * 1024, bytes: 8 * MIB };
/** Broken connections that are ended in one turn of the event loop. */
const MAX_BREAKS_PER_TURN = 16;
/** Requests that begin in one turn of the event loop, of connections without an authenticated request so far. */
const MAX_STRANGERS_PER_TURN = 8;

/** Limits that the operator sets. */
export interface TrafficBounds {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
}

interface TrafficOptions {
  readonly bounds: TrafficBounds;
  readonly proxies: Proxies;
  readonly context: Pick<Context, 'metrics'> & { readonly clock: Clock };
}

/** Limits for all requests of one process: connections, memory, time. */
export class Traffic {
  /**
   * Bodies of unauthenticated requests by network: room for a hundred of the largest, and for ten thousand logins at
   * once in addition.
   */
  readonly unknownBodies = new HeldBytes({ max: 8 * MIB, maxPerCaller: 2 * MIB, reserve: UNKNOWN_RESERVE });
  /** Bodies of authenticated requests, by user. */
  readonly knownBodies = new HeldBytes({ max: 64 * MIB, maxPerCaller: 24 * MIB, reserve: KNOWN_RESERVE });
  /**
   * Turns for what becomes of large bodies: as text, and as the values that it is parsed to, a body takes five times its
   * memory until it is stored. A few bots that stored 8 MiB each at once took the process to 466 MiB.
   */
  readonly parsing = new Turns({ max: 1, maxPerCaller: 1, maxWaitingPerCaller: Infinity });
  /** Large replies that are being sent, by user or network. */
  readonly answers = new HeldBytes({ max: 72 * MIB, maxPerCaller: 48 * MIB });
  /** Turns for making large replies, whose size is unknown until they are made, and for searching. */
  readonly making = new Turns({ max: 6, maxPerCaller: 2, maxWaitingPerCaller: 100 });
  readonly pace: Pace;
  readonly #proxies: Proxies;
  readonly #bounds: TrafficBounds;
  readonly #connections: Connections;
  readonly #breaks = new Portions(MAX_BREAKS_PER_TURN);
  readonly #strangers = new Portions(MAX_STRANGERS_PER_TURN);
  readonly #waiting = new WaitingResponses();
  /** Requests in progress that came through a trusted proxy, by network. */
  readonly #proxied = new Map<string, number>();
  readonly #refusals;

  constructor({ bounds, proxies, context: { metrics, clock } }: TrafficOptions) {
    this.#bounds = bounds;
    this.#proxies = proxies;
    this.#refusals = metrics.counter('roost_refusals_total', 'What was refused to keep the server going', ['reason']);
    this.#connections = new Connections({
      max: bounds.maxConnections,
      maxPerNetwork: bounds.maxConnectionsPerAddress,
      isProxy: (address) => proxies.isProxy(address),
      onRefused: (reason) => this.refused(reason),
    });
    this.pace = new Pace(clock, (_request, response) => {
      this.refused('body_too_slow');
      if (response.headersSent) return void response.end();
      refuse(response, BodyTooSlow(), apiHeaders('', undefined, 0));
      response.end();
    });
    metrics.gauge('roost_connections', 'Open connections', () => this.#connections.open);
    metrics.gauge('roost_held_body_bytes', 'Bytes of request bodies in memory', () => this.#heldByBodies);
    metrics.gauge('roost_held_answer_bytes', 'Bytes of large answers that wait to be taken', () => this.answers.held);
  }

  get #heldByBodies(): number {
    return this.unknownBodies.held + this.knownBodies.held;
  }

  /** Counts a refusal. */
  refused(reason: string): void {
    this.#refusals.inc({ reason });
  }

  /** Counts the connections of a server. */
  attach(server: Server): void {
    server.on('connection', (socket) => {
      this.#waiting.attach(socket);
      this.#connections.admit(socket);
    });
  }

  /** Whether a request may continue; if not, it has been refused. */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    this.#waiting.add(socket, response);
    if (!this.#connections.begin(socket)) return false;
    const isWatched = hasBody(request) && typeof socket.bytesRead === 'number';
    if (isWatched) this.pace.watch(request, response);
    const leave = this.#enter(request, response);
    response.once('close', () => {
      this.#connections.end(socket);
      if (isWatched) this.pace.forget(request);
      leave?.();
    });
    return leave !== undefined;
  }

  /**
   * Runs a request after the ones before it on its connection. Until a connection has had an authenticated request, its
   * requests share a limit of how many begin in one turn of the event loop.
   */
  inTurn({ socket }: IncomingMessage, work: () => void): void {
    const ifOpen = () => !socket.destroyed && work();
    this.#connections.inTurn(socket, this.#connections.isKnown(socket) ? work : () => this.#strangers.do(ifOpen));
  }

  /** Records that a request was authenticated. */
  know({ socket }: IncomingMessage): void {
    this.#connections.know(socket);
  }

  /** Runs `end`, which ends a broken connection; only a few run in one turn of the event loop. */
  inPortions(end: () => void): void {
    this.#breaks.do(end);
  }

  /** Whether a reply is being sent on a connection. */
  isAnswering(socket: Socket): boolean {
    return this.#waiting.isAnswering(socket);
  }

  /** Stops counting the connection of a known user while a poll waits on it. */
  park(request: IncomingMessage, response: ServerResponse): void {
    response.once('close', this.#connections.park(request.socket));
    const network = this.#networkBehindProxy(request);
    if (network === undefined) return;
    this.#addProxied(network, -1);
    // Runs before the listener that stops counting the request, so that the count stays balanced.
    response.prependOnceListener('close', () => this.#addProxied(network, 1));
  }

  /**
   * Counts a request that came through a proxy; returns a function that stops counting it. If there are too many,
   * refuses it and returns undefined.
   */
  #enter(request: IncomingMessage, response: ServerResponse): (() => void) | undefined {
    const network = this.#networkBehindProxy(request);
    if (network === undefined) return () => undefined;
    if ((this.#proxied.get(network) ?? 0) >= this.#bounds.maxConnectionsPerAddress) {
      this.refused('connections_of_address');
      refuse(response, ServerBusy({ 'retry-after': 5 }), apiHeaders('', undefined, 0));
      return undefined;
    }
    this.#addProxied(network, 1);
    return () => this.#addProxied(network, -1);
  }

  #networkBehindProxy(request: IncomingMessage): string | undefined {
    const isProxied = this.#proxies.isProxy(request.socket.remoteAddress ?? '');
    return isProxied ? networkOf(this.#proxies.addressOf(request)) : undefined;
  }

  #addProxied(network: string, change: 1 | -1): void {
    const count = (this.#proxied.get(network) ?? 0) + change;
    if (count === 0) this.#proxied.delete(network);
    else this.#proxied.set(network, count);
  }
}
