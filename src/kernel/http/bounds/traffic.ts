import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#kernel/clock';
import { BodyTooSlow, ServerBusy } from '#kernel/errors';
import type { Context } from '#kernel/context';
import { networkOf } from '#kernel/limits';
import { refuse } from '../answer.ts';
import { apiHeaders } from '../headers.ts';
import type { Proxies } from '../proxies.ts';
import { Connections } from './connections.ts';
import { HeldBytes } from './held-bytes.ts';
import { Pace } from './pace.ts';
import { hasBody } from './rest.ts';
import { Turns } from './turns.ts';
import { WaitingResponses } from './waiting-responses.ts';

const MIB = 2 ** 20;
/** For a thousand networks that send log-ins, and for hundreds of people who send messages. */
const STRANGERS_RESERVE = { small: 4096, bytes: 4 * MIB };
const PEOPLES_RESERVE = { small: 64 * 1024, bytes: 8 * MIB };

/** What an operator sets. */
export interface TrafficBounds {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
}

interface TrafficOptions {
  readonly bounds: TrafficBounds;
  readonly proxies: Proxies;
  readonly context: Pick<Context, 'metrics'> & { readonly clock: Clock };
}

/** What everybody's requests together may take of one process: connections, memory, time. */
export class Traffic {
  /** Bodies of strangers, by network: room for a hundred of the largest, and beside them for ten thousand log-ins at once. */
  readonly unknownBodies = new HeldBytes({ max: 8 * MIB, maxPerCaller: 2 * MIB, reserve: STRANGERS_RESERVE });
  /** Bodies of people, by user. */
  readonly knownBodies = new HeldBytes({ max: 64 * MIB, maxPerCaller: 24 * MIB, reserve: PEOPLES_RESERVE });
  /** Large answers that wait to be taken, by user or network. */
  readonly answers = new HeldBytes({ max: 72 * MIB, maxPerCaller: 48 * MIB });
  /** The making of answers that may be large: until one is made, nobody knows how much it takes. */
  readonly making = new Turns({ max: 6, maxPerCaller: 2, maxWaitingPerCaller: 100 });
  readonly pace: Pace;
  readonly #proxies: Proxies;
  readonly #bounds: TrafficBounds;
  readonly #connections: Connections;
  readonly #waiting = new WaitingResponses();
  /** Requests under way, by network, of those that come by a trusted proxy. */
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

  /** Whether a request may go on; if not, it has been refused. */
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

  /** Runs a request that may go on, when those before it on its connection have been answered. */
  inTurn({ socket }: IncomingMessage, work: () => void): void {
    this.#connections.inTurn(socket, work);
  }

  /** Whether an answer is on its way on a connection. */
  isAnswering(socket: Socket): boolean {
    return this.#waiting.isAnswering(socket);
  }

  /** Does not count the connection of a known user while a poll waits on it. */
  park(request: IncomingMessage, response: ServerResponse): void {
    response.once('close', this.#connections.park(request.socket));
    const network = this.#networkBehindProxy(request);
    if (network === undefined) return;
    this.#addProxied(network, -1);
    // The request is taken off again when it has been answered.
    response.prependOnceListener('close', () => this.#addProxied(network, 1));
  }

  /** Counts a request that a proxy brought; what is returned takes it off. Undefined: there were too many, and it was refused. */
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
