/** Sends the reply of a request that is answered later. */
export interface Responder {
  /** Sends the whole body as JSON text, of at least so many characters; once. Where there is no room it is not made. */
  send(characters: number, body: () => string): void;
  /** Whether the client has disconnected. */
  isGone(): boolean;
  /** Calls `listener` when the client disconnects before the reply. */
  onGone(listener: () => void): void;
}

/** Returned by a handler that replies later; `begin` must make sure that it replies in the end. */
export class Held {
  readonly begin: (responder: Responder) => void;

  constructor(begin: (responder: Responder) => void) {
    this.begin = begin;
  }
}

/** Counts the bytes of a reply while it is made, until it is sent. */
export interface AnswerRoom {
  /** Gives back what an earlier attempt at the same reply took: on PostgreSQL, reading may run again in its snapshot. */
  begin(): void;
  /** Throws SERVER_NOT_READY if there is no room for further bytes; ends the work if the client has disconnected. */
  take(bytes: number): void;
}

/**
 * Returned by a handler that serializes its JSON body, including the envelope. Lists of buffers are not joined, and not
 * counted: they are shared with other replies, or have room (`AnswerRoom`).
 */
export class RawBody {
  readonly body: string | Buffer | readonly Buffer[];
  /** Set if the bytes are compressed already. */
  readonly encoding: 'gzip' | undefined;

  constructor(body: string | Buffer | readonly Buffer[], encoding?: 'gzip') {
    this.body = body;
    this.encoding = encoding;
  }
}
