import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Network } from '#kernel/outbound';

/** A public address; the test's server stands behind it. */
const PUBLIC = '93.184.216.34';

/** An Internet of one server, which answers for every name that is known. */
export interface Internet {
  readonly network: Network;
  /** `host path` of every request, in order. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Opens an Internet; `names` has the addresses of names that lead elsewhere, all others are public. */
export async function openInternet(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  names: Readonly<Record<string, readonly string[]>> = {},
): Promise<Internet> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    network: {
      resolve: (hostname) => Promise.resolve(names[hostname] ?? [PUBLIC]),
      dial: () => connect({ host: '127.0.0.1', port }),
    },
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
