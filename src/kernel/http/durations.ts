import type { Context } from '#kernel/context';

/** Requests that take longer are logged, in milliseconds; long polls are excepted. */
const SLOW_MS = 1000;

/** The histogram for one pair of labels. */
interface Observer {
  observe(value: number): void;
}

/** Measures how long requests take, by operation and status. */
export class Durations {
  readonly #context: Pick<Context, 'log'>;
  readonly #histogram;
  readonly #observers = new Map<string, Observer>();

  constructor(context: Pick<Context, 'log' | 'metrics'>) {
    this.#context = context;
    this.#histogram = context.metrics.histogram('roost_request_seconds', 'Time from request to answer', [
      'endpoint',
      'status',
    ]);
  }

  /** Starts measuring a request; returns the function to call at its end. */
  begin(): (endpoint: string, status: number, isGone?: boolean) => void {
    const started = performance.now();
    return (endpoint, status, isGone = false) => {
      const ms = performance.now() - started;
      this.#observerOf(endpoint, status).observe(ms / 1000);
      if (ms > SLOW_MS && !isGone) this.#context.log.info({ endpoint, status, ms: Math.round(ms) }, 'a slow request');
    };
  }

  /** Cached, because there are at most a few hundred pairs of labels. */
  #observerOf(endpoint: string, status: number): Observer {
    const key = `${endpoint} ${status}`;
    const known = this.#observers.get(key);
    if (known) return known;
    const made = this.#histogram.labels({ endpoint, status });
    this.#observers.set(key, made);
    return made;
  }
}
