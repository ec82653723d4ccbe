import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Slots } from '#kernel/lists';

/**
 * Closes the responses that wait behind another one when their connection closes. Node closes only the response that is
 * being written; without this, what a request holds until its response closes would be held forever.
 */
export class WaitingResponses {
  readonly #bySocket = new WeakMap<Socket, Slots<ServerResponse>>();

  /** Starts tracking a new connection. */
  attach(socket: Socket): void {
    const responses = new Slots<ServerResponse>();
    this.#bySocket.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) closeWaiting(response);
    });
  }

  add(socket: Socket, response: ServerResponse): void {
    const remove = this.#bySocket.get(socket)?.add(response);
    if (remove) response.once('close', remove);
  }

  /** Whether a response has sent its headers but not its end. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#bySocket.get(socket) ?? [])].some((response) => response.socket && response.headersSent);
  }
}

/** Node itself closes the response that has the socket. */
function closeWaiting(response: ServerResponse): void {
  if (response.socket) return;
  response.destroy();
  response.emit('close');
}
