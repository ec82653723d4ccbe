/** A way to answer a request that has been held open. */
export interface Responder {
  /** Sends the whole body as JSON text; once. */
  send(body: string | Buffer): void;
  /** Calls `listener` when the client goes away before the answer. */
  onGone(listener: () => void): void;
}

/** Returned by a handler that answers later; `begin` must see to it that every wait ends. */
export class Held {
  readonly begin: (responder: Responder) => void;

  constructor(begin: (responder: Responder) => void) {
    this.begin = begin;
  }
}

/** Returned by a handler that has its JSON body ready, envelope included; several buffers are sent as they are. */
export class RawBody {
  readonly body: string | Buffer | readonly Buffer[];
  /** Set when the bytes are compressed already. */
  readonly encoding: 'gzip' | undefined;

  constructor(body: string | Buffer | readonly Buffer[], encoding?: 'gzip') {
    this.body = body;
    this.encoding = encoding;
  }
}
