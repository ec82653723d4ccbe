import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import fastifyMultipart from '@fastify/multipart';
import { allParts, type AnyEndpoint, type Endpoints, Held, type Page, RawBody } from '#kernel/endpoint';
import { ApiError, BodyMalformed, InternalError, MethodNotAllowed, RouteMissing } from '#kernel/errors';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { type Body, readBody } from './body.ts';
import { clientName } from './client-name.ts';
import { parseCookies, sessionCookieName } from './cookies.ts';
import { parseForm } from './forms.ts';
import { apiHeaders, PAGE_HEADERS, preflightHeaders } from './headers.ts';
import { openPage } from './pages.ts';
import { type Incoming, type PipelineOptions, type Progress, run } from './pipeline.ts';
import { Router } from './router.ts';

const compress = promisify(gzip);
/** Bodies from this size on are compressed for clients that take it, in bytes. */
const COMPRESS_FROM = 8192;
/** Requests that take longer than this are logged, in milliseconds; long polls aside. */
const SLOW_MS = 1000;
/** Prefixes under which the API is served; the second is what browsers with a session use. */
const PREFIXES = ['/api/v1', '/json'] as const;

export interface ListenerOptions extends PipelineOptions {
  readonly endpoints: Endpoints;
  readonly pages: readonly Page[];
  readonly trustedProxies: readonly string[];
}

/** The server's sockets and everything between a socket and a handler. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #app: FastifyInstance;
  readonly #api = new Router<AnyEndpoint>();
  readonly #pages = new Router<Page>();
  readonly #duration;
  readonly #durations = new Map<string, Observer>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#duration = options.kit.metrics.histogram('roost_request_seconds', 'Time from request to answer', [
      'endpoint',
      'status',
    ]);
    for (const endpoint of options.endpoints) {
      this.#api.add(endpoint.method, endpoint.path, endpoint, (name) => endpoint.params[name]?.encoding === 'path');
    }
    for (const page of options.pages) {
      for (const method of page.methods) this.#pages.add(method, page.path, page, () => false);
    }
    this.#app = this.#build();
  }

  /** Begins to listen and returns the port that was taken. */
  async listen(port: number, host: string): Promise<number> {
    await this.#app.listen({ port, host });
    const address = this.#app.server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  async ready(): Promise<void> {
    await this.#app.ready();
  }

  /** Answers a request without a socket; for tests. */
  get inject(): FastifyInstance['inject'] {
    return this.#app.inject.bind(this.#app);
  }

  async close(): Promise<void> {
    await this.#app.close();
  }

  #build(): FastifyInstance {
    const app = fastify({
      logger: false,
      trustProxy: this.#options.trustedProxies.length > 0 ? [...this.#options.trustedProxies] : false,
      forceCloseConnections: 'idle',
      keepAliveTimeout: 75_000,
      // Headers must arrive within a minute; bodies may take as long as an upload needs.
      requestTimeout: 0,
      bodyLimit: Number.MAX_SAFE_INTEGER,
      // Its own, which would be loaded at the start, are a hundred modules.
      schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
      frameworkErrors: (_error, _request, reply) => {
        reply.hijack();
        send(reply.raw, 404, apiHeaders('', undefined, 0), envelope(RouteMissing()));
      },
    });
    app.server.headersTimeout = 60_000;
    // Only bodies of several parts need what the framework does between a request's head and its route.
    app.addHook('onRequest', (request, reply, done) => {
      if (isMultipart(request)) return done();
      reply.hijack();
      this.#serve(request, reply.raw).catch(done);
    });
    void app.register(fastifyMultipart, { limits: { fileSize: Number.POSITIVE_INFINITY } });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    app.all('/*', (request, reply) => {
      reply.hijack();
      return this.#serve(request, reply.raw);
    });
    app.setNotFoundHandler((request, reply) => {
      reply.hijack();
      return this.#serve(request, reply.raw);
    });
    app.setErrorHandler((_error, _request, reply) => {
      reply.hijack();
      send(reply.raw, 400, apiHeaders('', undefined, 0), envelope(BodyMalformed()));
    });
    return app;
  }

  async #serve(request: FastifyRequest, response: ServerResponse): Promise<void> {
    const requestId = this.#options.kit.clock.token(16);
    const path = request.url.split('?', 1)[0] ?? '/';
    const prefix = PREFIXES.find((candidate) => path === candidate || path.startsWith(`${candidate}/`));
    const parts = safeParts(path);
    const page = parts && this.#pages.find(parts);
    // Below the API, a page answers its own methods only; the others may be operations of the same path.
    const isPage = page && (prefix === undefined || page.methods.has(verbOf(request)));
    if (isPage) return openPage(this.#options, page, request, response, requestId);
    if (prefix !== undefined || path === '/' || path.startsWith('/api')) {
      return this.#serveApi(request, response, requestId, parts?.slice(prefix === '/json' ? 1 : 2));
    }
    send(response, 404, { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' }, 'Not found\n');
  }

  async #serveApi(
    request: FastifyRequest,
    response: ServerResponse,
    requestId: string,
    parts: readonly string[] | undefined,
  ): Promise<void> {
    const { kit } = this.#options;
    const progress: Progress = {};
    const started = performance.now();
    let label = 'none';
    let status = 200;
    try {
      const target = await this.#route(request, response, parts);
      if (!target) return;
      label = target.endpoint.id;
      const reply = await run(this.#options, this.#incoming(request, target), progress);
      const headers = apiHeaders(requestId, progress.allowance, kit.clock.now());
      if (reply instanceof Held) return hold(reply, response, headers);
      await sendBody(request.raw, response, headers, reply instanceof RawBody ? reply : new RawBody(reply));
    } catch (error) {
      const failure = this.#asApiError(error, label, requestId);
      status = failure.row.status;
      this.#refuse(request, response, failure, apiHeaders(requestId, progress.allowance, kit.clock.now()));
    } finally {
      this.#measure(label, status, performance.now() - started);
    }
  }

  /** The operation that a request names, with its body read where that was necessary to know; undefined when answered. */
  async #route(
    request: FastifyRequest,
    response: ServerResponse,
    parts: readonly string[] | undefined,
  ): Promise<Target | undefined> {
    const match = parts && this.#api.find(parts);
    if (!match) throw RouteMissing();
    const allow = allowed(match.methods);
    if (request.method === 'OPTIONS') {
      send(response, 204, preflightHeaders(allow), '');
      return undefined;
    }
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    let body: Body | undefined;
    let endpoint = match.methods.get(method);
    if (method === 'POST' && isUrlencoded(request)) {
      body = await readBody(request);
      endpoint = match.methods.get(body.texts.get('method')?.toUpperCase() ?? method) ?? endpoint;
    }
    if (!endpoint) throw MethodNotAllowed({ allowed_methods: allow });
    return { endpoint, path: match.path, body };
  }

  #incoming(request: FastifyRequest, { endpoint, path, body }: Target): Incoming {
    const { kit } = this.#options;
    const query = new Map<string, string>();
    parseForm(request.url.split('?', 2)[1] ?? '', query);
    const client = clientName(request.headers['user-agent'], body?.texts.get('client') ?? query.get('client'));
    const sessionToken = parseCookies(request.headers.cookie)[sessionCookieName(kit.server.externalUrl)];
    const csrfHeader = request.headers['x-csrftoken'];
    return {
      endpoint,
      host: request.host,
      presented: {
        authorization: request.headers.authorization,
        sessionToken,
        csrfToken: typeof csrfHeader === 'string' ? csrfHeader : body?.texts.get('csrfmiddlewaretoken'),
        isSafe: endpoint.method === 'GET',
        client,
      },
      facts: {
        client,
        address: request.ip,
        sessionToken,
        acceptsGzip: acceptsGzip(request.raw),
        userAgent: request.headers['user-agent'] ?? '',
      },
      fields: async () => {
        const read = body ?? (await readBody(request));
        const texts = new Map(query);
        for (const [name, text] of read.texts) texts.set(name, text);
        return { texts, path, file: read.file, json: read.json };
      },
    };
  }

  #asApiError(error: unknown, endpoint: string, request_id: string): ApiError {
    if (error instanceof ApiError) return error;
    if (isAborted(error)) return RouteMissing();
    this.#options.kit.log.error({ err: error, endpoint, request_id }, 'a request failed unexpectedly');
    return InternalError();
  }

  #refuse(
    request: FastifyRequest,
    response: ServerResponse,
    error: ApiError,
    headers: Record<string, string | number>,
  ): void {
    const { status } = error.row;
    if (status === 401) headers['www-authenticate'] = 'Basic realm="roost"';
    if (status === 405) headers['allow'] = allowHeader(error);
    if (status === 429) headers['retry-after'] = Math.ceil(Number(error.extra['retry-after'] ?? 1));
    // A body that was not read to its end would be taken for the next request.
    if (!request.raw.complete) headers['connection'] = 'close';
    send(response, status, headers, envelope(error));
  }

  #measure(endpoint: string, status: number, ms: number): void {
    this.#durationOf(endpoint, status).observe(ms / 1000);
    if (ms > SLOW_MS) this.#options.kit.log.info({ endpoint, status, ms: Math.round(ms) }, 'a slow request');
  }

  /** The measure of one pair of labels; there are a few hundred at most. */
  #durationOf(endpoint: string, status: number): Observer {
    const key = `${endpoint} ${status}`;
    const known = this.#durations.get(key);
    if (known) return known;
    const made = this.#duration.labels({ endpoint, status });
    this.#durations.set(key, made);
    return made;
  }
}

/** Takes measurements of one pair of labels. */
interface Observer {
  observe(value: number): void;
}

interface Target {
  readonly endpoint: AnyEndpoint;
  readonly path: Readonly<Record<string, string>>;
  readonly body: Body | undefined;
}

/** What a request asks for; HEAD is GET without the body. */
function verbOf(request: FastifyRequest): string {
  return request.method === 'HEAD' ? 'GET' : request.method;
}

function allowed(methods: ReadonlyMap<string, unknown>): readonly string[] {
  const names = [...methods.keys()];
  if (methods.has('GET')) names.push('HEAD');
  return [...names, 'OPTIONS'].toSorted();
}

function safeParts(path: string): readonly string[] | undefined {
  try {
    return allParts(path).map((part) => decodeURIComponent(part));
  } catch {
    return undefined;
  }
}

/** Endpoints check what comes and write what goes; the framework is given no schema. */
function noCompiler(): never {
  throw new Error('the framework compiles no schemas');
}

function isUrlencoded(request: FastifyRequest): boolean {
  return (request.headers['content-type'] ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded');
}

function isMultipart(request: FastifyRequest): boolean {
  return (request.headers['content-type'] ?? '').toLowerCase().startsWith('multipart/');
}

function acceptsGzip(request: IncomingMessage): boolean {
  return /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
}

function envelope(error: ApiError): string {
  return JSON.stringify({ result: 'error', msg: error.message, code: error.row.code, ...error.extra });
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

async function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string | number>,
  reply: RawBody,
): Promise<void> {
  let { body, encoding } = reply;
  const mayShrink = encoding === undefined && body.length >= COMPRESS_FROM && acceptsGzip(request);
  if (mayShrink && (typeof body === 'string' || Buffer.isBuffer(body))) {
    body = await compress(body, { level: 1 });
    encoding = 'gzip';
  }
  if (encoding !== undefined) headers['content-encoding'] = encoding;
  send(response, 200, headers, body);
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string | number>,
  body: string | Buffer | readonly Buffer[],
): void {
  if (response.destroyed || response.headersSent) return;
  const pieces = typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body;
  if (status !== 204) headers['content-length'] = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  response.writeHead(status, headers);
  const [first, ...more] = pieces;
  if (response.req.method === 'HEAD' || status === 204) return void response.end();
  // One text becomes one chunk with the head, which is ASCII.
  if (more.length === 0) return void response.end(first);
  // Together with the head in one write, without copying what many answers share.
  response.cork();
  for (const piece of pieces.slice(0, -1)) response.write(piece);
  response.end(pieces.at(-1));
}

function hold(held: Held, response: ServerResponse, headers: Record<string, string | number>): void {
  held.begin({
    send: (body) => send(response, 200, headers, body),
    onGone: (listener) => {
      // The client may have gone while the queue was being looked at.
      if (response.destroyed) return listener();
      response.on('close', () => {
        if (!response.writableEnded) listener();
      });
    },
  });
}

function allowHeader(error: ApiError): string {
  const methods = error.extra['allowed_methods'];
  return Array.isArray(methods) ? methods.join(', ') : '';
}
