import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { networkOf } from '#kernel/limits';
import { BodyShare, MAX_KNOWN_BYTES, MAX_KNOWN_WHOLE_BYTES, MAX_UNKNOWN_BYTES } from './bounds/body-share.ts';
import type { Traffic } from './bounds/traffic.ts';
import type { Proxies } from './proxies.ts';

/** Content types of forms, which may have many fields. */
const FORMS: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data']);

/** What the requests of one server have in common. */
interface Surroundings {
  readonly proxies: Proxies;
  readonly traffic: Traffic;
}

/** The user that a request counts for, or a stranger. */
export type Caller = { readonly userId: number } | null;

/** A request, with what the way to us says of it. */
export class HttpRequest {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly traffic: Traffic;
  /** Type of the body without parameters, in lower case; empty when there is none. */
  readonly contentType: string;
  /** Reads the parts of a body that has several. */
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

  /** The method whose answer is wanted; HEAD is GET without the body. */
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

  /** Whether a trusted proxy sent it. */
  get isFromProxy(): boolean {
    return this.#proxies.isProxy(this.raw.socket.remoteAddress ?? '');
  }

  /** The user whose share of memory a request takes. */
  payerOf(caller: Caller): string {
    return caller ? `user ${caller.userId}` : networkOf(this.address);
  }

  /** The room that the body of this caller gets; a stranger's is small, and all of them share it. A page's form is as small. */
  shareFor(caller: Caller, isPage = false): BodyShare {
    const { knownBodies, unknownBodies, pace } = this.traffic;
    if (caller) pace.extend(this.raw);
    const held = caller ? knownBodies : unknownBodies;
    const most = caller && !isPage ? this.#mostBytes : MAX_UNKNOWN_BYTES;
    return new BodyShare(held, this.payerOf(caller), most, this.response);
  }

  /** A form is taken apart at once, and what is none is left to the operation. */
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
