import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';

/** Whom a request's forwarding headers are believed: addresses and networks of proxies. */
export class Proxies {
  readonly #isTrusted: ((address: string, hop: number) => boolean) | undefined;

  constructor(trusted: readonly string[]) {
    this.#isTrusted = trusted.length > 0 ? proxyAddr.compile([...trusted]) : undefined;
  }

  /** Where a request came from: the first address on its way, seen from here, that is no proxy's. */
  addressOf(request: IncomingMessage): string {
    const peer = request.socket.remoteAddress ?? '';
    return this.#isTrusted ? (proxyAddr.all(request, this.#isTrusted).at(-1) ?? peer) : peer;
  }

  /** The host that was asked for; of several that a header names, the one which the nearest proxy added. */
  hostOf({ headers, socket }: IncomingMessage): string {
    const forwarded = String(headers['x-forwarded-host'] ?? '');
    const isBelieved = forwarded !== '' && this.#isTrusted?.(socket.remoteAddress ?? '', 0) === true;
    return isBelieved ? forwarded.slice(forwarded.lastIndexOf(',') + 1).trim() : (headers.host ?? '');
  }
}

/** A request, with what the way to us says of it. */
export class HttpRequest {
  readonly raw: IncomingMessage;
  /** Reads the parts of a body that has several. */
  readonly parts: FastifyRequest['parts'] | undefined;
  readonly #proxies: Proxies;

  constructor(raw: IncomingMessage, proxies: Proxies, parts?: FastifyRequest['parts']) {
    this.raw = raw;
    this.#proxies = proxies;
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

  /** Type of the body without parameters, in lower case; empty when there is none. */
  get contentType(): string {
    return contentType(this.raw);
  }

  get acceptsGzip(): boolean {
    return /\bgzip\b/.test(String(this.headers['accept-encoding'] ?? ''));
  }
}

export function contentType({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
