import { once } from 'node:events';
import { createServer } from 'node:net';

/** Tries to listen on a port; returns the error, or undefined if it succeeded. Leaves nothing open. */
export async function tryListen(host: string, port: number): Promise<unknown> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error;
  } finally {
    server.close();
  }
}
