import type { ServerResponse } from 'node:http';
import { type AnyEndpoint, type Endpoints, Held, type Page } from '#kernel/endpoint';
import { ApiError, InternalError, MethodNotAllowed, RouteMissing } from '#kernel/errors';
import type { InjectOptions, Response as InjectedResponse } from 'light-my-request';
import { hold, refuse, send, sendReply } from './answer.ts';
import { type Body, readBody } from './body.ts';
import { clientName } from './client-name.ts';
import { parseCookies, sessionCookieName } from './cookies.ts';
import { Durations } from './durations.ts';
import { parseForm } from './forms.ts';
import { type Framework, openFramework } from './framework.ts';
import { apiHeaders, PAGE_HEADERS, preflightHeaders } from './headers.ts';
import { openPage } from './pages.ts';
import { type Incoming, type PipelineOptions, type Progress, run } from './pipeline.ts';
import { HttpRequest, Proxies } from './request.ts';
import type { Match } from './router.ts';
import { Routes } from './routes.ts';

export interface ListenerOptions extends PipelineOptions {
  readonly endpoints: Endpoints;
  readonly pages: readonly Page[];
  readonly trustedProxies: readonly string[];
}

/** The server's sockets and everything between a socket and a handler. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #framework: Framework;
  readonly #routes: Routes;
  readonly #durations: Durations;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#durations = new Durations(options.kit);
    this.#routes = new Routes(options.endpoints, options.pages);
    const proxies = new Proxies(options.trustedProxies);
    this.#framework = openFramework((raw, response, parts) => {
      this.#serve(new HttpRequest(raw, proxies, parts), response).catch((error: unknown) => {
        options.kit.log.error({ err: error }, 'a request could not be answered');
        response.destroy();
      });
    });
  }

  /** Begins to listen and returns the port that was taken. */
  async listen(port: number, host: string): Promise<number> {
    const { app } = this.#framework;
    await app.listen({ port, host });
    const address = app.server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  async ready(): Promise<void> {
    await this.#framework.app.ready();
  }

  /** Answers a request without a socket; for tests and for what the server asks itself. */
  async inject(options: InjectOptions): Promise<InjectedResponse> {
    const { default: inject } = await import('light-my-request');
    return inject(this.#framework.dispatch, options);
  }

  /** Takes no more requests, from this moment on, and resolves when those under way have been answered. */
  async close(): Promise<void> {
    await this.#framework.close();
  }

  async #serve(request: HttpRequest, response: ServerResponse): Promise<void> {
    const requestId = this.#options.kit.clock.token(16);
    const route = this.#routes.find(request.url.split('?', 1)[0] ?? '/');
    const { page } = route;
    if (page && (!route.isBelowApi || page.methods.has(request.verb)))
      return openPage(this.#options, page, request, response, requestId);
    if (route.isApi) return this.#serveApi(request, response, requestId, route.operations);
    send(response, 404, { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' }, 'Not found\n');
  }

  async #serveApi(
    request: HttpRequest,
    response: ServerResponse,
    requestId: string,
    operations: Match<AnyEndpoint> | undefined,
  ): Promise<void> {
    const { kit } = this.#options;
    const progress: Progress = {};
    const measure = this.#durations.begin();
    let label = 'none';
    try {
      const target = await choose(request, response, operations);
      if (!target) return measure(label, 200);
      label = target.endpoint.id;
      const reply = await run(this.#options, this.#incoming(request, target), progress);
      const headers = apiHeaders(requestId, progress.allowance, kit.clock.now());
      if (reply instanceof Held) hold(reply, response, headers);
      else await sendReply(request, response, headers, reply);
      measure(label, 200);
    } catch (error) {
      const failure = this.#asApiError(error, label, requestId);
      refuse(request.raw, response, failure, apiHeaders(requestId, progress.allowance, kit.clock.now()));
      measure(label, failure.row.status);
    }
  }

  #incoming(request: HttpRequest, { endpoint, path, body }: Target): Incoming {
    const { headers, acceptsGzip, host, address } = request;
    const query = new Map<string, string>();
    parseForm(request.url.split('?', 2)[1] ?? '', query);
    const client = clientName(headers['user-agent'], body?.texts.get('client') ?? query.get('client'));
    const sessionToken = parseCookies(headers.cookie)[sessionCookieName(this.#options.kit.server.externalUrl)];
    const csrfHeader = headers['x-csrftoken'];
    return {
      endpoint,
      host,
      presented: {
        authorization: headers.authorization,
        sessionToken,
        csrfToken: typeof csrfHeader === 'string' ? csrfHeader : body?.texts.get('csrfmiddlewaretoken'),
        isSafe: endpoint.method === 'GET',
        client,
      },
      facts: { client, address, sessionToken, acceptsGzip, userAgent: headers['user-agent'] ?? '' },
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
}

interface Target {
  readonly endpoint: AnyEndpoint;
  readonly path: Readonly<Record<string, string>>;
  readonly body: Body | undefined;
}

/** The operation that a request names, with its body read where that was necessary to know; undefined when answered. */
async function choose(
  request: HttpRequest,
  response: ServerResponse,
  operations: Match<AnyEndpoint> | undefined,
): Promise<Target | undefined> {
  if (!operations) throw RouteMissing();
  const { methods, path } = operations;
  if (request.verb === 'OPTIONS') {
    send(response, 204, preflightHeaders(allowed(methods)), '');
    return undefined;
  }
  const isForm = request.verb === 'POST' && request.contentType === 'application/x-www-form-urlencoded';
  const body = isForm ? await readBody(request) : undefined;
  const endpoint = methods.get(body?.texts.get('method')?.toUpperCase() ?? request.verb) ?? methods.get(request.verb);
  if (!endpoint) throw MethodNotAllowed({ allowed_methods: allowed(methods) });
  return { endpoint, path, body };
}

function allowed(methods: ReadonlyMap<string, unknown>): readonly string[] {
  const names = [...methods.keys()];
  if (methods.has('GET')) names.push('HEAD');
  return [...names, 'OPTIONS'].toSorted();
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}
