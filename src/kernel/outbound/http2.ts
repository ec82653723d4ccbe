import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { rootCertificates } from 'node:tls';
import type { Clock } from '#kernel/clock';
import { assertOutsideTransaction } from '#kernel/scope';
import { OutboundFault } from './outbound.ts';

/** Bytes of an answer that are read. */
const MAX_BYTES = 65_536;
/** Milliseconds after which a connection that nobody uses is closed. */
const IDLE_MS = 300_000;
/** Requests under way on one connection; more wait for one that ends. */
const MAX_STREAMS = 200;

/** A request by HTTP/2; always a POST. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds until the last byte of the answer, waiting for a place included. */
  readonly timeoutMs: number;
}

/** What came back. */
export interface PostReply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
}

/** A connection, the requests under way on it, and those that wait, each until its time is over. */
interface Http2Connection {
  readonly session: ClientHttp2Session;
  streams: number;
  readonly waiting: (() => void)[];
}

/**
 * Sends requests to the services of phone makers, which ask for few connections with many requests at once (RFC 9113). For
 * addresses of the operator. Each failure is an `OutboundFault`.
 */
export class Http2Client {
  readonly #clock: Clock;
  readonly #authorities: readonly string[];
  readonly #connections = new Map<string, Http2Connection>();

  constructor(clock: Clock, authorities: readonly string[] = []) {
    this.#clock = clock;
    this.#authorities = authorities;
  }

  async post(request: Post): Promise<PostReply> {
    assertOutsideTransaction('an outgoing request');
    const { origin, pathname, search } = new URL(request.url);
    const connection = this.#connectionTo(origin);
    return new Promise((resolve, reject) => {
      let stream: ClientHttp2Stream | undefined;
      let isLate = false;
      const timer = this.#clock.after(request.timeoutMs, () => {
        isLate = true;
        reject(new OutboundFault('time'));
        stream?.close(constants.NGHTTP2_CANCEL);
      });
      const fail = (error: unknown) => {
        timer.cancel();
        reject(new OutboundFault('network', error));
      };
      const begin = () => {
        if (isLate) return;
        if (connection.session.closed || connection.session.destroyed) return fail(new Error('the connection ended'));
        const fields = { ...request.headers, ':method': 'POST', ':path': `${pathname}${search}` };
        try {
          stream = connection.session.request(fields);
        } catch (error) {
          return fail(error);
        }
        connection.streams += 1;
        stream.once('close', () => {
          connection.streams -= 1;
          fail(new Error('the stream ended without an answer'));
          letIn(connection);
        });
        stream.once('error', fail);
        readReply(stream, (reply) => {
          timer.cancel();
          resolve(reply);
        });
        stream.end(request.body);
      };
      connection.waiting.push(begin);
      letIn(connection);
    });
  }

  /** Ends all connections. */
  close(): void {
    for (const { session } of this.#connections.values()) session.destroy();
    this.#connections.clear();
  }

  #connectionTo(origin: string): Http2Connection {
    const known = this.#connections.get(origin);
    if (known && !known.session.closed && !known.session.destroyed) return known;
    const ca = this.#authorities.length > 0 ? { ca: [...rootCertificates, ...this.#authorities] } : {};
    const session = connect(origin, ca);
    const own: Http2Connection = { session, streams: 0, waiting: [] };
    const forget = () => {
      if (this.#connections.get(origin) === own) this.#connections.delete(origin);
    };
    session.on('error', forget).on('goaway', forget).once('close', forget);
    session.setTimeout(IDLE_MS, () => session.close());
    session.unref();
    this.#connections.set(origin, own);
    return own;
  }
}

/** Begins those that wait, in order, as far as there is room. */
function letIn(connection: Http2Connection): void {
  while (connection.streams < MAX_STREAMS) {
    const begin = connection.waiting.shift();
    if (!begin) return;
    begin();
  }
}

function readReply(stream: ClientHttp2Stream, done: (reply: PostReply) => void): void {
  let status = 0;
  let retryAfter: string | undefined;
  let bytes = 0;
  const chunks: Buffer[] = [];
  stream.once('response', (fields) => {
    status = Number(fields[':status']);
    retryAfter = typeof fields['retry-after'] === 'string' ? fields['retry-after'] : undefined;
  });
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return stream.close(constants.NGHTTP2_CANCEL);
    chunks.push(chunk);
  });
  stream.once('end', () => {
    if (status > 0 && bytes <= MAX_BYTES) done({ status, retryAfter, body: Buffer.concat(chunks) });
  });
}
