import { type ClientRequest, type IncomingMessage, request as requestPlain, type RequestOptions } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type Socket } from 'node:net';
import {
  connect as connectSecure,
  createSecureContext,
  DEFAULT_CIPHERS,
  rootCertificates,
  type SecureContext,
} from 'node:tls';
import type { Pool } from './pool.ts';
import { hostnameOf, portOf } from './targets.ts';

/** Bytes of all header fields of a reply. Node's default, said here because it is a bound. */
const MAX_HEADER_BYTES = 16_384;
/** Interim replies before the reply (RFC 9110 §15.2). Each has headers of its own, and no other bound counts them. */
const MAX_INTERIM = 20;

/**
 * Key exchange by elliptic curves only, as in browsers: in the older Diffie-Hellman the other side chooses a group, and one of
 * 8,192 bits takes a quarter of a second of the processor in each handshake.
 */
const KEY_EXCHANGE = { ciphers: `${DEFAULT_CIPHERS}:!DHE`, ecdhCurve: 'X25519:P-256:P-384:P-521' };

/** One request on one connection, without following redirects. */
export interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** Certificates of authorities that are trusted besides the well-known ones, as PEM. */
  readonly authorities: readonly string[];
  /** Opens a connection to where the host is found now; not asked where an open one is used. */
  readonly dial: () => Promise<Socket>;
  /** Whose connection may be used, and left open for the next request; for https. */
  readonly pool: Pool | undefined;
}

/** Sends a request and gives the reply once its headers are there. */
export function exchange(sent: Exchange): Promise<IncomingMessage> {
  const { url, signal } = sent;
  const isSecure = url.protocol === 'https:';
  const pool = isSecure ? sent.pool : undefined;
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    // A request without a connection tells nobody of its end.
    const failed = (error: Error) => {
      request.destroy();
      reject(error);
    };
    const request = (isSecure ? requestSecure : requestPlain)(optionsOf(sent, pool, failed));
    // Much cheaper than the option of the same name, which watches the stream, too.
    signal.addEventListener('abort', () => request.destroy(), { once: true });
    onNonsense(request, (what) => {
      isAnswered = true;
      failed(new Error(what));
    });
    request.on('error', (error) => {
      if (isAnswered) return;
      // The other side had just closed the connection. Whether it read the request nobody knows: it is said once more, and once.
      if (pool && request.reusedSocket && !signal.aborted) resolve(exchange({ ...sent, pool: undefined }));
      else reject(error);
    });
    request.once('response', (response) => {
      isAnswered = true;
      resolve(response);
    });
    request.end(sent.body);
  });
}

/** Tells of a reply that is none: interim replies without end, or another protocol, which nobody asked for. */
function onNonsense(request: ClientRequest, tell: (what: string) => void): void {
  let interim = 0;
  request.on('information', () => {
    if (++interim === MAX_INTERIM) tell('too many interim replies');
  });
  request.once('upgrade', (_reply, socket) => {
    socket.destroy();
    tell('another protocol');
  });
}

function optionsOf(sent: Exchange, pool: Pool | undefined, failed: (error: Error) => void): RequestOptions {
  const { url, method, headers } = sent;
  return {
    method,
    host: hostnameOf(url),
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, 'accept-encoding': 'identity', ...(!pool && { connection: 'close' }) },
    maxHeaderSize: MAX_HEADER_BYTES,
    createConnection: (_options, connected) => {
      connect(sent).then((socket) => connected(null, socket), failed);
      return undefined;
    },
    ...(pool && { agent: pool }),
  };
}

async function connect({ url, authorities, dial }: Exchange): Promise<Socket> {
  const socket = await dial();
  if (url.protocol !== 'https:') return socket;
  const host = hostnameOf(url);
  const believed = authorities.length > 0 ? { secureContext: believing(authorities) } : KEY_EXCHANGE;
  // An address is no server name (RFC 6066 §3); the certificate is then checked against the host.
  return connectSecure({ socket, host, servername: isIP(host) === 0 ? host : '', ...believed });
}

const contexts = new WeakMap<readonly string[], SecureContext>();

/** What verifies connections, made once: to read all certificates takes longer than a connection. */
function believing(authorities: readonly string[]): SecureContext {
  const known = contexts.get(authorities);
  if (known) return known;
  const made = createSecureContext({ ca: [...rootCertificates, ...authorities], ...KEY_EXCHANGE });
  contexts.set(authorities, made);
  return made;
}
