import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServerEnding } from '#kernel/errors';
import { Slots } from '#kernel/lists';
import { refuse } from './answer.ts';
import { apiHeaders } from './headers.ts';

/**
 * Shuts down the server's connections: each closes after the reply in progress, so that its client connects again
 * elsewhere or later.
 */
export class Ending {
  readonly #underWay = new Slots<ServerResponse>();
  #hasBegun = false;

  /** Whether a request is accepted; refuses it during the shutdown. */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#hasBegun) {
      response.shouldKeepAlive = false;
      refuse(response, ServerEnding({ 'retry-after': 1 }), apiHeaders('', undefined, 0));
      return false;
    }
    response.on('close', this.#underWay.add(response));
    return true;
  }

  begin(): void {
    this.#hasBegun = true;
    for (const response of this.#underWay) endConnectionAfter(response);
  }
}

function endConnectionAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  const { socket } = response.req;
  // If the headers have been sent, they promised to keep the connection, so it is closed after the reply. A request that
  // a test injects has none.
  if (response.headersSent && 'destroySoon' in socket) response.once('finish', () => socket.destroySoon());
}
