import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { networkOf } from '#kernel/limits';
import { BodyShare, MAX_KNOWN_BYTES, MAX_KNOWN_WHOLE_BYTES, MAX_UNKNOWN_BYTES } from './bounds/body-share.ts';
import type { Traffic } from './bounds/traffic.ts';
import type { Proxies } from './proxies.ts';

/** Content types of forms. */
const FORMS: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data']);

/** Objects that all requests of a server share. */
interface Surroundings {
  readonly proxies: Proxies;
  readonly traffic: Traffic;
}

/** The authenticated user of a request, or null. */
export type Caller = { readonly userId: number } | null;

/** A request, with the forwarding headers of trusted proxies applied. */
export class HttpRequest {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly traffic: Traffic;
  /** Media type of the body, without parameters and in lower case; empty if there is none. */
  readonly contentType: string;
  /** Reads the parts of a multipart body. */
  readonly parts: FastifyRequest['parts'] | undefined;
  readonly #proxies: Proxies;

  constructor(
    raw: IncomingMessage,
    response: ServerResponse,
    { proxies, traffic }: Surroundings,
    parts?: FastifyRequest['parts'],
  ) {
    this.raw = raw;
    this.response = response;
    this.#proxies = proxies;
    this.traffic = traffic;
    this.contentType = contentType(raw);
    this.parts = parts;
  }

  /** Path and query. */
  get url(): string {
    return this.raw.url ?? '/';
  }

  /** The method; HEAD counts as GET. */
  get verb(): string {
    const { method = 'GET' } = this.raw;
    return method === 'HEAD' ? 'GET' : method;
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers;
  }

  get host(): string {
    return this.#proxies.hostOf(this.raw);
  }

  get address(): string {
    return this.#proxies.addressOf(this.raw);
  }

  /** Whether it came from a trusted proxy. */
  get isFromProxy(): boolean {
    return this.#proxies.isProxy(this.raw.socket.remoteAddress ?? '');
  }

  /** Key of the memory limit that a request counts for: the user or the network. */
  payerOf(caller: Caller): string {
    return caller ? `user ${caller.userId}` : networkOf(this.address);
  }

  /**
   * Returns the memory share of a body: a small one for unauthenticated requests, which share a common limit, and for
   * the forms of pages.
   */
  shareFor(caller: Caller, isPage = false): BodyShare {
    const { knownBodies, unknownBodies, parsing, pace } = this.traffic;
    if (caller) {
      pace.extend(this.raw);
      this.traffic.know(this.raw);
    }
    const held = caller ? knownBodies : unknownBodies;
    const maxBytes = caller && !isPage ? this.#mostBytes : MAX_UNKNOWN_BYTES;
    return new BodyShare({ held, parsing, caller: this.payerOf(caller), maxBytes }, this.response);
  }

  /** Largest body of an authenticated request, in bytes. A form is parsed here, any other body by the operation. */
  get #mostBytes(): number {
    return FORMS.has(this.contentType) ? MAX_KNOWN_BYTES : MAX_KNOWN_WHOLE_BYTES;
  }

  get acceptsGzip(): boolean {
    return /\bgzip\b/.test(String(this.headers['accept-encoding'] ?? ''));
  }
}

export function contentType({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
