import { inPageLanguage } from '../words/refusals.ts';
import type { Clock } from './clock.ts';
import { CallFailure, failureOf } from './failure.ts';
import { prepare } from './request.ts';
import type { InputOf, Method, OutputOf, PathOf } from './types.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Timeout of the call in milliseconds. */
  readonly timeoutMs?: number;
  /**
   * Sent without the session, for calls with a password: a refusal would otherwise make the browser show a password
   * dialog.
   */
  readonly isAnonymous?: boolean;
  /** Completes even if the page is left before the reply. */
  readonly outlivesPage?: boolean;
}

/** What the API client needs from its environment. */
export interface ApiOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: Clock;
  /** Returns the CSRF token of the page; with `refreshed` a new one, because the server refused that token. */
  readonly token: (refreshed: boolean) => Promise<string>;
  /** Called when the server rate-limits a call twice or more in a row, or for long, with the seconds until the next attempt. */
  readonly onLimited?: (seconds: number) => void;
  /** Asks the person to confirm who they are before the call; resolves to whether they did. */
  readonly onConfirm?: () => Promise<boolean>;
  /** Called when the session has ended. */
  readonly onSignedOut?: (failure: CallFailure) => void;
}

const TIMEOUT_MS = 30_000;
/** Characters of a reply from which on parsing takes milliseconds. */
const LONG = 1_000_000;
/** Longest wait for the rate limit, in seconds, and most waits of one call. */
const MAX_WAIT_SECONDS = 60;
const MAX_WAITS = 5;
/** Longest first wait of a call that the person is not shown, in seconds. */
const MAX_SILENT_SECONDS = 10;

/**
 * Calls the API, typed by the declarations of its endpoints: `api.call('POST', '/messages', { … })`. A call that is
 * refused, lost or no longer allowed throws a `CallFailure`; a rate-limited one waits as long as the server asks.
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

  /** Makes a call whose types are not declared: registering, rendering, and uploads. */
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
      else throw await this.#reported(answer);
      options.signal?.throwIfAborted();
    }
  }

  async #reported(failure: CallFailure): Promise<CallFailure> {
    if (failure.kind === 'signedOut') this.#options.onSignedOut?.(failure);
    if (failure.kind === 'refused') failure.sentence = await inPageLanguage(failure.message);
    return failure;
  }

  async #wait(failure: CallFailure, waits: number, signal: AbortSignal | undefined): Promise<void> {
    const asked = Number(failure.extra['retry-after']);
    const seconds = Math.min(Number.isFinite(asked) && asked > 0 ? asked : 1, MAX_WAIT_SECONDS);
    if (waits > 1 || seconds > MAX_SILENT_SECONDS) this.#options.onLimited?.(seconds);
    // Jitter, so that calls that were refused together are not repeated together.
    await this.#options.clock.sleep(seconds * 1000 * (1 + this.#options.clock.random() / 10), signal);
  }

  /** Parses a reply; undefined if it is not JSON. Yields before a long one, so that key presses are handled first. */
  async #read(text: string): Promise<unknown> {
    if (text.length > LONG) await this.#options.clock.sleep(0);
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  async #fetch(
    method: Method,
    { url, body }: ReturnType<typeof prepare>,
    isFresh: boolean,
    { signal, timeoutMs = TIMEOUT_MS, isAnonymous = false, outlivesPage = false }: CallOptions,
  ): Promise<Readonly<Record<string, unknown>> | CallFailure> {
    const timeout = AbortSignal.timeout(timeoutMs);
    // Tells the server that a script makes the request, so that a refusal does not make the browser show a password
    // dialog.
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
      const json = await this.#read(await response.text());
      return failureOf(response.status, json) ?? (json as Readonly<Record<string, unknown>>);
    } catch (error) {
      if (signal?.aborted) throw error;
      const code = timeout.aborted ? 'TIMEOUT' : 'OFFLINE';
      return new CallFailure('away', { code, status: 0 });
    }
  }
}
