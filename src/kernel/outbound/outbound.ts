import type { Readable } from 'node:stream';

/** A request to another server. The bounds hold for the whole of it, redirects included. */
export interface OutboundRequest {
  readonly url: string;
  /** Default: POST with a body, else GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Most bytes of the reply's body. Default 1,048,576. */
  readonly maxBytes?: number;
  /** Milliseconds until the last byte of the reply. Default 10,000. */
  readonly timeoutMs?: number;
  /** How many redirects are followed; one more is a fault. Default 5 from people's addresses, 0 from the operator's. */
  readonly maxRedirects?: number;
  /**
   * Whether an open https connection to the same host may be reused: for many small requests to few hosts. If the other
   * side closes it before answering, the request is sent again on a new connection, so it may arrive twice: for
   * idempotent requests only. By default each request has a new connection and is sent once.
   */
  readonly isReusing?: boolean;
}

/** What came back, whatever its status. */
export interface OutboundReply<Body> {
  readonly status: number;
  /** By lower-case name; several fields of one name are joined by commas. Cookies are dropped. */
  readonly headers: ReadonlyMap<string, string>;
  /** Where the reply came from, after redirects. */
  readonly url: string;
  readonly body: Body;
}

/** An HTTP client. Each failure is an `OutboundFault`. */
export interface Outbound {
  /** Sends a request and reads the reply whole. */
  fetch(request: OutboundRequest): Promise<OutboundReply<Buffer>>;
  /** Sends a request; the reply's body comes as a stream, which must be read or destroyed, and fails at the bounds. */
  open(request: OutboundRequest): Promise<OutboundReply<Readable>>;
}

/** Why a request was not made, or its reply not read. */
export type OutboundReason =
  /** The address is no URL, too long, or not http or https; or its port is one of another service. */
  | 'address'
  /** The address leads to a host that people may not reach through this server. */
  | 'forbidden'
  /** The host's name is not known. */
  | 'name'
  /** More redirects than allowed. */
  | 'redirects'
  /** The reply is larger than allowed. */
  | 'size'
  /** The reply took longer than allowed. */
  | 'time'
  /** The reply is compressed, though that was not asked for. */
  | 'encoding'
  /** The connection failed, or what came over it was not HTTP. */
  | 'network';

/** A request that failed. The message names no address, because links of people must not be logged. */
export class OutboundFault extends Error {
  override readonly name = 'OutboundFault';
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, cause?: unknown) {
    super(`outgoing request failed: ${reason}`, { cause });
    this.reason = reason;
  }
}
