import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServerEnding } from '#kernel/errors';
import { refuse } from './answer.ts';
import { apiHeaders } from './headers.ts';

/**
 * The orderly end of the server's connections: each ends with the answer that is under way on it, so that a client that gets one
 * comes again elsewhere or later, not here at once.
 */
export class Ending {
  readonly #underWay = new Set<ServerResponse>();
  #hasBegun = false;

  /** Whether a request is still taken; one that comes after the beginning of the end is refused here. */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#hasBegun) {
      response.shouldKeepAlive = false;
      refuse(response, ServerEnding({ 'retry-after': 1 }), apiHeaders('', undefined, 0));
      return false;
    }
    this.#underWay.add(response);
    response.on('close', () => this.#underWay.delete(response));
    return true;
  }

  begin(): void {
    this.#hasBegun = true;
    for (const response of this.#underWay) endConnectionAfter(response);
  }
}

function endConnectionAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  // Where the head has gone already, it has promised that the connection stays.
  if (response.headersSent) response.once('finish', () => response.req.socket.destroySoon());
}
