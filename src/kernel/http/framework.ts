import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import fastifyMultipart from '@fastify/multipart';
import { BodyMalformed, RouteMissing } from '#kernel/errors';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { refuse } from './answer.ts';
import { Ending } from './ending.ts';
import { apiHeaders } from './headers.ts';
import { contentType } from './request.ts';

export type Serve = (request: IncomingMessage, response: ServerResponse, parts?: FastifyRequest['parts']) => void;

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
export function openFramework(serve: Serve): Framework {
  const ending = new Ending();
  let dispatch: RequestListener = () => undefined;
  const app = fastify({
    logger: false,
    forceCloseConnections: 'idle',
    bodyLimit: Number.MAX_SAFE_INTEGER,
    // Its own, which would be loaded at the start, are a hundred modules.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (_error, request, reply) => {
      refuse(request.raw, takeOver(reply), RouteMissing(), apiHeaders('', undefined, 0));
    },
    serverFactory: (handle) => {
      dispatch = (request, response) => {
        if (!ending.admits(request, response)) return;
        if (contentType(request).startsWith('multipart/')) handle(request, response);
        else serve(request, response);
      };
      return listening(dispatch);
    },
  });
  void app.register(fastifyMultipart, { limits: { fileSize: Number.POSITIVE_INFINITY } });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const serveParts = (request: FastifyRequest, reply: FastifyReply) =>
    serve(request.raw, takeOver(reply), (options) => request.parts(options));
  app.all('/*', serveParts);
  app.setNotFoundHandler(serveParts);
  app.setErrorHandler((_error, request, reply) => {
    refuse(request.raw, takeOver(reply), BodyMalformed(), apiHeaders('', undefined, 0));
  });
  const close = async () => {
    ending.begin();
    await app.close();
  };
  return { app, dispatch: (request, response) => dispatch(request, response), close };
}

function listening(dispatch: RequestListener) {
  return createServer({ keepAliveTimeout: 75_000, headersTimeout: 60_000, requestTimeout: 0 }, dispatch);
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
