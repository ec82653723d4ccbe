import { setTimeout as pause } from 'node:timers/promises';
import { Api, type Clock } from '../../web/api/index.ts';
import { type AnyEvent, Model, type RegisterState } from '../../web/model/index.ts';
import { REGISTER } from '../../web/sync/register.ts';
import type { Client } from './client.ts';
import type { World } from './world.ts';

/** Storage with the interface of browsers. */
export function memoryStorage() {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
}

/** A clock that a test advances; sleepers wake when their time has come. */
export class HandClock implements Clock {
  #now = 1_800_000_000_000;
  readonly #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();

  now(): number {
    return this.#now;
  }

  random(): number {
    return 0.5;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleeper = { until: this.#now + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        resolve();
      });
    });
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.until > this.#now) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}

/** The web client's state of an account, on the world's server; it receives events when the test asks for them. */
export class WebAccount {
  readonly model = new Model();
  readonly clock = new HandClock();
  /** Requests that were answered. */
  readonly asked: string[] = [];
  /** Whether requests are lost. */
  isOffline = false;
  /** Whether requests hang until the client gives them up, and how many did. */
  isHanging = false;
  hung = 0;
  readonly api: Api;
  #queueId: string | null = null;

  constructor(world: World, client: Client) {
    this.api = new Api({
      clock: this.clock,
      token: () => Promise.resolve(''),
      fetch: async (url, { method = 'GET', body, signal }) => {
        if (this.isOffline) throw new TypeError('Failed to fetch');
        if (this.isHanging) return this.#hang(signal);
        const form = body instanceof URLSearchParams ? body.toString() : undefined;
        const headers = { authorization: client.authorization, 'content-type': 'application/x-www-form-urlencoded' };
        const response = await world.server.listener.inject({
          method: method as 'GET',
          url,
          headers: form === undefined ? { authorization: client.authorization } : headers,
          ...(form !== undefined && { payload: form }),
        });
        this.asked.push(`${method} ${decodeURIComponent(form ?? '')} ${url.split('?')[0] ?? ''}`);
        return new Response(response.body, { status: response.statusCode });
      },
    });
  }

  #hang(signal: AbortSignal | null | undefined): Promise<never> {
    this.hung += 1;
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('given up')));
    });
  }

  async register(): Promise<void> {
    const state = (await this.api.callAny('POST', '/register', REGISTER)) as unknown as RegisterState;
    this.#queueId = state.queue_id;
    this.model.load(state);
  }

  /** Fetches and applies the events there are. */
  async catchUp(): Promise<void> {
    const last_event_id = this.model.position.peek();
    const query = { queue_id: this.#queueId, last_event_id, dont_block: true };
    const { events } = await this.api.callAny('GET', '/events', query);
    for (const event of events as readonly AnyEvent[]) this.model.apply(event, this.clock.now());
  }
}

/** Waits until a condition holds that depends on answers of the server. */
export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 2000) throw new Error('it did not come true');
    await pause(2);
  }
}
