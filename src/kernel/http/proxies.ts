import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** The trusted proxies, whose forwarding headers are used. */
export class Proxies {
  readonly #isTrusted: ((address: string, hop: number) => boolean) | undefined;

  constructor(trusted: readonly string[]) {
    this.#isTrusted = trusted.length > 0 ? proxyAddr.compile([...trusted]) : undefined;
  }

  /** Whether an address is that of a trusted proxy. */
  isProxy(address: string): boolean {
    return this.#isTrusted?.(address, 0) === true;
  }

  /** Returns the client's address: the last one on the request's path that is not a trusted proxy. */
  addressOf(request: IncomingMessage): string {
    const peer = request.socket.remoteAddress ?? '';
    return this.#isTrusted ? (proxyAddr.all(request, this.#isTrusted).at(-1) ?? peer) : peer;
  }

  /** Returns the requested host; of several in X-Forwarded-Host, the one that the nearest proxy added. */
  hostOf({ headers, socket }: IncomingMessage): string {
    const forwarded = String(headers['x-forwarded-host'] ?? '');
    const isBelieved = forwarded !== '' && this.isProxy(socket.remoteAddress ?? '');
    return isBelieved ? forwarded.slice(forwarded.lastIndexOf(',') + 1).trim() : (headers.host ?? '');
  }
}
