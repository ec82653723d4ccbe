import type { Clock } from './clock.ts';
import { CallFailure, failureOf } from './failure.ts';
import { prepare } from './request.ts';
import type { InputOf, Method, OutputOf, PathOf } from './types.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds until the call counts as lost. */
  readonly timeoutMs?: number;
  /** Sent without the session, for calls that bring a password: the browser asks for none of its own when it is refused. */
  readonly isAnonymous?: boolean;
  /** Arrives although the page is left before the answer. */
  readonly outlivesPage?: boolean;
}

/** What calls need of the world. */
export interface ApiOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: Clock;
  /** The token of the session's forms, as the page has it; `refreshed`: a new one, because that was refused. */
  readonly token: (refreshed: boolean) => Promise<string>;
  /** The server asks to wait for so many seconds, for the second time in a row. */
  readonly onLimited?: (seconds: number) => void;
  /** The person must show who they are before the call; resolves with whether they did. */
  readonly onConfirm?: () => Promise<boolean>;
  /** The session has ended. */
  readonly onSignedOut?: (failure: CallFailure) => void;
}

const TIMEOUT_MS = 30_000;
/** Longest that a call waits for its rate, in seconds, and how often. */
const MAX_WAIT_SECONDS = 60;
const MAX_WAITS = 5;

/**
 * Calls of the API, typed by the declarations of its endpoints: `api.call('POST', '/messages', { … })`. A call that is refused,
 * lost or not allowed any more throws a `CallFailure`; one that came too early waits as it is told.
 */
export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  async call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    parameters: InputOf<M, P>,
    options: CallOptions = {},
  ): Promise<OutputOf<M, P>> {
    // The declaration of the endpoint promises this shape, and the server's tests hold it to that.
    return (await this.callAny(method, path, parameters, options)) as OutputOf<M, P>;
  }

  /** A call whose types are not declared one by one: registering, rendering, and uploads. */
  async callAny(
    method: Method,
    path: string,
    parameters: object,
    options: CallOptions = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const prepared = prepare(method, path, { ...parameters });
    let isFresh = false;
    let isConfirmed = false;
    for (let waits = 0; ; ) {
      const answer = await this.#fetch(method, prepared, isFresh, options);
      if (!(answer instanceof CallFailure)) return answer;
      if (answer.code === 'CSRF_FAILED' && !isFresh) isFresh = true;
      else if (answer.code === 'RATE_LIMIT_HIT' && waits < MAX_WAITS) await this.#wait(answer, ++waits, options.signal);
      else if (answer.code === 'CONFIRMATION_REQUIRED' && !isConfirmed && (await this.#options.onConfirm?.()) === true)
        isConfirmed = true;
      else throw this.#told(answer);
      options.signal?.throwIfAborted();
    }
  }

  #told(failure: CallFailure): CallFailure {
    if (failure.kind === 'signedOut') this.#options.onSignedOut?.(failure);
    return failure;
  }

  async #wait(failure: CallFailure, waits: number, signal: AbortSignal | undefined): Promise<void> {
    const asked = Number(failure.extra['retry-after']);
    const seconds = Math.min(Number.isFinite(asked) && asked > 0 ? asked : 1, MAX_WAIT_SECONDS);
    if (waits > 1) this.#options.onLimited?.(seconds);
    // Those that were refused together do not come again together.
    await this.#options.clock.sleep(seconds * 1000 * (1 + this.#options.clock.random() / 10), signal);
  }

  async #fetch(
    method: Method,
    { url, body }: ReturnType<typeof prepare>,
    isFresh: boolean,
    { signal, timeoutMs = TIMEOUT_MS, isAnonymous = false, outlivesPage = false }: CallOptions,
  ): Promise<Readonly<Record<string, unknown>> | CallFailure> {
    const timeout = AbortSignal.timeout(timeoutMs);
    // Says that a page asks: a browser that is refused asks for no password of its own then.
    const asking = { 'x-requested-with': 'XMLHttpRequest' };
    const headers = method === 'GET' ? asking : { ...asking, 'x-csrftoken': await this.#options.token(isFresh) };
    try {
      const response = await this.#options.fetch(url, {
        method,
        headers,
        credentials: isAnonymous ? 'omit' : 'same-origin',
        redirect: 'error',
        keepalive: outlivesPage,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(body && { body }),
      });
      const json: unknown = await response.json().catch((error: unknown) => {
        if (error instanceof SyntaxError) return undefined;
        throw error;
      });
      return failureOf(response.status, json) ?? (json as Readonly<Record<string, unknown>>);
    } catch (error) {
      if (signal?.aborted) throw error;
      const code = timeout.aborted ? 'TIMEOUT' : 'OFFLINE';
      return new CallFailure('away', { code, status: 0, message: 'The server does not answer' });
    }
  }
}
