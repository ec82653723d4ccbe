import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import fastifyMultipart from '@fastify/multipart';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { BodyMalformed, RequestMalformed, RouteMissing } from '#kernel/errors';
import { refuse } from './answer.ts';
import { slicesOf } from './bounds/slices.ts';
import type { Traffic } from './bounds/traffic.ts';
import { answerBroken } from './broken.ts';
import { Ending } from './ending.ts';
import { apiHeaders } from './headers.ts';
import { contentType } from './request.ts';
import { isWellFormed } from './well-formed.ts';

/**
 * Timeouts for the headers of a request and for an idle connection, in milliseconds. Bodies have limits of their own.
 */
const TIMEOUTS = {
  headersTimeout: 10_000,
  keepAliveTimeout: 75_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 2000,
} as const;
const STALLED_MS = 90_000;
/** One year. */
const STRICT_TRANSPORT = 'max-age=31536000';

type Serve = (request: IncomingMessage, response: ServerResponse, parts?: FastifyRequest['parts']) => void;

interface FrameworkOptions {
  readonly serve: Serve;
  readonly traffic: Traffic;
  /** Whether the server's address is an https one. */
  readonly isEncrypted: () => boolean;
}

/** The framework, and the listener for all requests of its sockets. */
export interface Framework {
  readonly app: FastifyInstance;
  readonly dispatch: RequestListener;
  /** Stops accepting requests; resolves when those in progress have ended. */
  readonly close: () => Promise<void>;
}

/**
 * The framework handles sockets, timeouts and multipart bodies. All other requests bypass it and go directly to
 * `serve`, because its work for each costs as much as a small request.
 */
export function openFramework({ serve, traffic, isEncrypted }: FrameworkOptions): Framework {
  const ending = new Ending();
  let dispatch: RequestListener = () => undefined;
  const app = fastify({
    logger: false,
    forceCloseConnections: 'idle',
    bodyLimit: Number.MAX_SAFE_INTEGER,
    clientErrorHandler: (error, socket) =>
      traffic.inPortions(() => answerBroken(error, socket, traffic.isAnswering(socket))),
    // The framework's default compilers are a hundred modules, which would be loaded at the start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (_error, request, reply) => {
      refuse(takeOver(reply), RouteMissing(), apiHeaders('', undefined, 0));
    },
    serverFactory: (handle) => {
      dispatch = (request, response) => {
        if (isEncrypted()) response.setHeader('strict-transport-security', STRICT_TRANSPORT);
        if (!ending.admits(request, response) || !traffic.admits(request, response)) return;
        traffic.inTurn(request, () => {
          if (!isWellFormed(request)) refuseMalformed(response);
          else if (contentType(request).startsWith('multipart/')) handle(request, response);
          else serve(request, response);
        });
      };
      const server = listening(dispatch);
      traffic.attach(server);
      return server;
    },
  });
  void app.register(fastifyMultipart, { limits: { fileSize: Number.POSITIVE_INFINITY } });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const serveParts = (request: FastifyRequest, reply: FastifyReply) =>
    serve(request.raw, takeOver(reply), (options) => partsOf(request, options));
  app.all('/*', serveParts);
  app.setNotFoundHandler(serveParts);
  app.setErrorHandler((_error, request, reply) => {
    refuse(takeOver(reply), BodyMalformed(), apiHeaders('', undefined, 0));
  });
  const close = async () => {
    ending.begin();
    await app.close();
  };
  return { app, dispatch: (request, response) => dispatch(request, response), close };
}

/** Closes the connection: after a malformed request, a proxy and this server may disagree where the next one begins. */
function refuseMalformed(response: ServerResponse): void {
  refuse(response, RequestMalformed(), { ...apiHeaders('', undefined, 0), connection: 'close' });
}

function listening(dispatch: RequestListener) {
  // A request without a host gets our error for malformed requests instead of Node's.
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, dispatch);
  // Longer than any poll: closes connections on which neither side sends anything, or whose client does not read.
  server.timeout = STALLED_MS;
  server.on('checkContinue', (request, response) => {
    // Sends `100 Continue` when the body is read, and not if the request is refused before.
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    dispatch(request, response);
  });
  return server;
}

/** The parts of a body, which is parsed in slices so that a thousand small parts do not block other requests. */
function partsOf(request: FastifyRequest, options: Parameters<FastifyRequest['parts']>[0]) {
  const raw = slicesOf(request.raw);
  const sliced = new Proxy(request, {
    get: (target, name): unknown => (name === 'raw' ? raw : Reflect.get(target, name)),
  });
  return sliced.parts(options);
}

/** Returns the raw response, which the framework leaves alone from now on. */
function takeOver(reply: FastifyReply): ServerResponse {
  reply.hijack();
  return reply.raw;
}

/** The framework gets no schemas: endpoints validate requests and replies. */
function noCompiler(): never {
  throw new Error('the framework compiles no schemas');
}
