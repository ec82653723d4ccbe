import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes the responses that wait behind another one when their connection goes. Node closes only the response that is being
 * written; without this, whatever a request holds until its response closes would be held for ever.
 */
export class WaitingResponses {
  readonly #bySocket = new WeakMap<Socket, Set<ServerResponse>>();

  /** Keeps watch over a connection from its beginning. */
  attach(socket: Socket): void {
    const responses = new Set<ServerResponse>();
    this.#bySocket.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) closeWaiting(response);
    });
  }

  add(socket: Socket, response: ServerResponse): void {
    const responses = this.#bySocket.get(socket);
    if (!responses) return;
    responses.add(response);
    response.once('close', () => responses.delete(response));
  }

  /** Whether the head of an answer has been sent whose end has not. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#bySocket.get(socket) ?? [])].some((response) => response.socket && response.headersSent);
  }
}

/** Those that have the connection are closed by Node itself. */
function closeWaiting(response: ServerResponse): void {
  if (response.socket) return;
  response.destroy();
  response.emit('close');
}
