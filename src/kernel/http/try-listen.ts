import { once } from 'node:events';
import { createServer } from 'node:net';

/** Why the system lets nobody listen on a port of an address now; undefined where it would. Leaves nothing open. */
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
