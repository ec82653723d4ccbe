import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Network } from '#kernel/outbound';

/** A public address, which leads to the test's server. */
const PUBLIC = '93.184.216.34';

/** A network with one server, which answers for every name. */
export interface Internet {
  readonly network: Network;
  /** `host path` of each request, in order. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Opens a network. `names` gives the addresses of some names; all others resolve to a public address. */
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
