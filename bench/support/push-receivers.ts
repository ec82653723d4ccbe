import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '../../test/support/certificate.ts';

/** A server that receives notifications and answers with a delay. */
export interface Receiver {
  readonly port: number;
  /** Devices that were notified, each counted once. */
  readonly reached: Set<string>;
  /** Returns the number of notifications. */
  count(): number;
  close(): Promise<void>;
}

/** Opens a push service that answers after so many milliseconds; each device has a path. */
export function openPushService(delayMs: number): Promise<Receiver> {
  const options = { key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE };
  return openReceiver(
    (serve) => createSecureServer(options, serve),
    (request, response, _body, reach) => {
      reach([request.url ?? '']);
      setTimeout(() => response.writeHead(201).end(), delayMs);
    },
  );
}

/** Opens the service in front of the phone makers; it answers after so many milliseconds. */
export function openPhoneService(delayMs: number): Promise<Receiver> {
  return openReceiver(
    (serve) => createServer(serve),
    (request, response, body, reach) => {
      const isNotify = request.url?.endsWith('/push/e2ee/notify') ?? false;
      if (isNotify)
        reach(JSON.parse(body.toString()).push_requests.map(({ token_id }: { token_id: string }) => token_id));
      const answer = { result: 'success', msg: '', last_realmauditlog_id: 0, delete_token_ids: [], realms: {} };
      setTimeout(() => response.end(JSON.stringify(answer)), delayMs);
    },
  );
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

async function openReceiver(
  make: (serve: Serve) => Server & { closeAllConnections?: () => void },
  answer: (
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    reach: (devices: readonly string[]) => void,
  ) => void,
): Promise<Receiver> {
  const reached = new Set<string>();
  let count = 0;
  const reach = (devices: readonly string[]) => {
    count += devices.length;
    for (const device of devices) reached.add(device);
  };
  const server = make((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => answer(request, response, Buffer.concat(chunks), reach));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    reached,
    count: () => count,
    close: async () => {
      server.closeAllConnections?.();
      await once(server.close(), 'close');
    },
  };
}

/** Makes the keys of a browser's subscription. */
export function subscriptionKeys(): { readonly p256dh: string; readonly auth: string } {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return { p256dh: pair.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') };
}
