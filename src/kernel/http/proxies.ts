import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** Addresses and networks of the proxies whose forwarding headers are believed. */
export class Proxies {
  readonly #isTrusted: ((address: string, hop: number) => boolean) | undefined;

  constructor(trusted: readonly string[]) {
    this.#isTrusted = trusted.length > 0 ? proxyAddr.compile([...trusted]) : undefined;
  }

  /** Whether an address is that of a trusted proxy. */
  isProxy(address: string): boolean {
    return this.#isTrusted?.(address, 0) === true;
  }

  /** Where a request came from: the first address on its way, seen from here, that is no proxy's. */
  addressOf(request: IncomingMessage): string {
    const peer = request.socket.remoteAddress ?? '';
    return this.#isTrusted ? (proxyAddr.all(request, this.#isTrusted).at(-1) ?? peer) : peer;
  }

  /** The host that was asked for; of several that a header names, the one which the nearest proxy added. */
  hostOf({ headers, socket }: IncomingMessage): string {
    const forwarded = String(headers['x-forwarded-host'] ?? '');
    const isBelieved = forwarded !== '' && this.isProxy(socket.remoteAddress ?? '');
    return isBelieved ? forwarded.slice(forwarded.lastIndexOf(',') + 1).trim() : (headers.host ?? '');
  }
}
