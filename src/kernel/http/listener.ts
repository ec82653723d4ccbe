import type { ServerResponse } from 'node:http';
import type { Response as InjectedResponse, InjectOptions } from 'light-my-request';
import { type AnyEndpoint, type Endpoints, Held, type Page } from '#kernel/endpoint';
import { ApiError, BodyTooLarge, InternalError, RouteMissing, ServerBusy, ServerUnavailable } from '#kernel/errors';
import { allowedOf } from './admission.ts';
import { hold, refuse, send, sendReply } from './answer.ts';
import { whatIsAway } from './away.ts';
import { isAborted } from './body.ts';
import { Traffic, type TrafficBounds } from './bounds/traffic.ts';
import { Durations } from './durations.ts';
import { type Framework, openFramework } from './framework.ts';
import { apiHeaders, PAGE_HEADERS, preflightHeaders } from './headers.ts';
import type { PipelineOptions, Progress } from './incoming.ts';
import { openPage, RETRY_SECONDS } from './pages.ts';
import { run } from './pipeline.ts';
import { Proxies } from './proxies.ts';
import { HttpRequest } from './request.ts';
import type { Match } from './router.ts';
import { Routes } from './routes.ts';

export interface ListenerOptions extends PipelineOptions {
  readonly endpoints: Endpoints;
  readonly pages: readonly Page[];
  /** The page for unknown addresses in browsers; other clients get a line of text. */
  readonly missing?: Page;
  readonly trustedProxies: readonly string[];
  readonly bounds: TrafficBounds;
}

/** The server's sockets, and everything between a socket and a handler. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #framework: Framework;
  readonly #routes: Routes;
  readonly #durations: Durations;
  readonly #traffic: Traffic;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#durations = new Durations(options.context);
    this.#routes = new Routes(options.endpoints, options.pages);
    const proxies = new Proxies(options.trustedProxies);
    const traffic = new Traffic({ bounds: options.bounds, proxies, context: options.context });
    this.#traffic = traffic;
    this.#framework = openFramework({
      traffic,
      isEncrypted: () => options.context.server.externalUrl.startsWith('https:'),
      serve: (raw, response, parts) => {
        const request = new HttpRequest(raw, response, { proxies, traffic }, parts);
        this.#serve(request, response).catch((error: unknown) => {
          options.context.log.error({ err: error }, 'a request could not be answered');
          response.destroy();
        });
      },
    });
  }

  /** Starts listening; returns the port. */
  async listen(port: number, host: string): Promise<number> {
    const { app } = this.#framework;
    await app.listen({ port, host });
    const address = app.server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  async ready(): Promise<void> {
    await this.#framework.app.ready();
  }

  /** Answers a request without a socket, for tests and for commands. */
  async inject(options: InjectOptions): Promise<InjectedResponse> {
    const { default: inject } = await import('light-my-request');
    return inject(this.#framework.dispatch, options);
  }

  /** Stops accepting requests; resolves when those in progress have ended. */
  async close(): Promise<void> {
    await this.#framework.close();
  }

  async #serve(request: HttpRequest, response: ServerResponse): Promise<void> {
    const requestId = this.#options.context.clock.token(16);
    const route = this.#routes.find(request.url.split('?', 1)[0] ?? '/');
    const { page } = route;
    if (page && (!route.isBelowApi || page.methods.has(request.verb)))
      return openPage(atMoment(this.#options), page, request, requestId);
    if (route.isApi) return this.#serveApi(request, response, requestId, route.operations);
    const { missing } = this.#options;
    if (missing && !route.isFile && wantsPage(request))
      return openPage(this.#options, { methods: new Map([['GET', missing]]), path: {} }, request, requestId);
    send(response, 404, { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' }, 'Not found\n');
  }

  async #serveApi(
    request: HttpRequest,
    response: ServerResponse,
    requestId: string,
    operations: Match<AnyEndpoint> | undefined,
  ): Promise<void> {
    const { context } = this.#options;
    const progress: Progress = { label: 'none', caller: null };
    const measure = this.#durations.begin();
    try {
      if (!operations) throw RouteMissing();
      if (request.verb === 'OPTIONS') {
        send(response, 204, preflightHeaders(allowedOf(operations.methods)), '');
        return measure(progress.label, 200);
      }
      const reply = await run(atMoment(this.#options), { request, ...operations }, progress);
      const headers = apiHeaders(requestId, progress.allowance, context.clock.now());
      if (reply instanceof Held) hold(reply, request, headers, progress.caller);
      else {
        const sending = sendReply(request, headers, reply, progress.caller);
        if (sending) await sending;
      }
      measure(progress.label, 200);
    } catch (error) {
      const failure = this.#asApiError(error, progress.label, requestId);
      this.#countRefusal(failure);
      refuse(response, failure, apiHeaders(requestId, progress.allowance, context.clock.now()));
      // A client that disconnected early does not count as slow, because such clients would fill the log.
      measure(progress.label, failure.row.status, isAborted(error));
    } finally {
      progress.endMaking?.();
    }
  }

  #countRefusal({ row }: ApiError): void {
    const reason = REASONS.get(row);
    if (reason !== undefined) this.#traffic.refused(reason);
  }

  #asApiError(error: unknown, endpoint: string, request_id: string): ApiError {
    if (error instanceof ApiError) return error;
    if (isAborted(error)) return RouteMissing();
    const away = whatIsAway(error);
    if (away !== undefined) {
      this.#options.context.log.warn({ err: error, endpoint, request_id, away }, 'a request was refused for now');
      return ServerUnavailable({ 'retry-after': RETRY_SECONDS });
    }
    this.#options.context.log.error({ err: error, endpoint, request_id }, 'a request failed unexpectedly');
    return InternalError();
  }
}

/** Options for one request: its store checks once whether cached data is still valid. */
function atMoment(options: ListenerOptions): ListenerOptions {
  const { context } = options;
  const store = context.store.moment();
  return store === context.store ? options : { ...options, context: { ...context, store } };
}

/** Whether a browser shows the reply; requests for images, scripts and data do not accept HTML. */
function wantsPage({ verb, headers }: HttpRequest): boolean {
  return verb === 'GET' && /(?:^|[,\s])text\/html\b/i.test(headers.accept ?? '');
}

/** Labels of refusals that protect the server, in the metrics. */
const REASONS: ReadonlyMap<ApiError['row'], string> = new Map([
  [BodyTooLarge.row, 'body_too_large'],
  [ServerBusy.row, 'memory'],
]);
