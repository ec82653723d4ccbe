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

/** Milliseconds for the head of a request, and for a connection to wait for the next one. Bodies have bounds of their own. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  keepAliveTimeout: 75_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 2000,
} as const;
const STALLED_MS = 90_000;
/** A year: browsers come by encrypted connections only. */
const STRICT_TRANSPORT = 'max-age=31536000';

type Serve = (request: IncomingMessage, response: ServerResponse, parts?: FastifyRequest['parts']) => void;

interface FrameworkOptions {
  readonly serve: Serve;
  readonly traffic: Traffic;
  /** Whether people reach the server by https. */
  readonly isEncrypted: () => boolean;
}

/** The framework, and what takes every request of its sockets. */
export interface Framework {
  readonly app: FastifyInstance;
  readonly dispatch: RequestListener;
  /** Takes no more requests, and resolves when those under way have been answered. */
  readonly close: () => Promise<void>;
}

/**
 * Sockets and their timeouts are the framework's, and so are bodies of several parts. All other requests go by it straight
 * to `serve`: what it does for each costs as much as a small request itself.
 */
export function openFramework({ serve, traffic, isEncrypted }: FrameworkOptions): Framework {
  const ending = new Ending();
  let dispatch: RequestListener = () => undefined;
  const app = fastify({
    logger: false,
    forceCloseConnections: 'idle',
    bodyLimit: Number.MAX_SAFE_INTEGER,
    clientErrorHandler: (error, socket) => answerBroken(error, socket, traffic.isAnswering(socket)),
    // Its own, which would be loaded at the start, are a hundred modules.
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

/** Nothing that follows on the connection is looked at: it may not be what its sender, or a proxy, takes it for. */
function refuseMalformed(response: ServerResponse): void {
  refuse(response, RequestMalformed(), { ...apiHeaders('', undefined, 0), connection: 'close' });
}

function listening(dispatch: RequestListener) {
  // A request without a host is refused like all that are no requests, and not in words of Node's own.
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, dispatch);
  // Longer than any poll waits: neither side has moved a byte, or a client does not read its answer.
  server.timeout = STALLED_MS;
  server.on('checkContinue', (request, response) => {
    // A body is asked for when somebody begins to read it, and not when the request is refused before.
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    dispatch(request, response);
  });
  return server;
}

/** The parts of a body, which is taken apart in slices: a thousand small parts keep nobody waiting. */
function partsOf(request: FastifyRequest, options: Parameters<FastifyRequest['parts']>[0]) {
  const raw = slicesOf(request.raw);
  const sliced = new Proxy(request, {
    get: (target, name): unknown => (name === 'raw' ? raw : Reflect.get(target, name)),
  });
  return sliced.parts(options);
}

/** The bare response, which the framework does not touch from now on. */
function takeOver(reply: FastifyReply): ServerResponse {
  reply.hijack();
  return reply.raw;
}

/** Endpoints check what comes and write what goes; the framework is given no schema. */
function noCompiler(): never {
  throw new Error('the framework compiles no schemas');
}
