import type { Body } from '../support/client.ts';
import { pause } from '../support/pause.ts';
import { applyEvent, MODERN, pick, syncedFields, toldFields } from '../support/sync.ts';

/** Somebody at a server that comes and goes. */
export interface Account {
  readonly email: string;
  readonly api_key: string;
  readonly user_id: number;
}

/** Calls the API; the reply's body, whatever it is. */
export async function request(
  url: string,
  { email, api_key }: Account,
  method: string,
  path: string,
  fields: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Body> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const isGet = method === 'GET';
  const response = await fetch(`${url}/api/v1${path}${isGet ? `?${form.toString()}` : ''}`, {
    method,
    headers: { authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}` },
    ...(!isGet && { body: form }),
    // A signal of its own, because `fetch` lets go of the listeners that it adds only with the garbage.
    ...(signal && { signal: AbortSignal.any([signal]) }),
  });
  if (response.status >= 500) throw new Error(`${method} ${path} answered ${response.status}`);
  return (await response.json()) as Body;
}

/** A client that keeps its state fresh by events alone. */
export class Follower {
  readonly #url: string;
  readonly #account: Account;
  readonly #stop = new AbortController();
  #loop: Promise<void> | undefined;
  #queueId = '';
  #lastEventId = -1;
  #state: Body = {};
  /** Events it has been given. */
  heard = 0;

  constructor(url: string, account: Account) {
    this.#url = url;
    this.#account = account;
  }

  /** Registers and begins to poll. */
  async begin(): Promise<void> {
    const state = await this.#register();
    this.#queueId = state['queue_id'];
    this.#lastEventId = state['last_event_id'];
    this.#state = pick(state, syncedFields());
    this.#loop = this.#follow();
  }

  /** Ends the waiting and takes what is left. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    while ((await this.#poll(true)) > 0);
  }

  /** What it has made of the events, beside what registering again says. */
  async compared(): Promise<{ readonly kept: Body; readonly fresh: Body }> {
    let fresh = await this.#register();
    // Something of the server's own may have happened since; then both are asked again.
    while ((await this.#poll(true)) > 0) fresh = await this.#register();
    // What an event adds to fields that registering does not bring counts for nothing.
    const fields = toldFields(this.#state, syncedFields());
    return { kept: pick(this.#state, fields), fresh: pick(fresh, fields) };
  }

  async #register(): Promise<Body> {
    const state = await request(this.#url, this.#account, 'POST', '/register', MODERN);
    if (state['result'] !== 'success') throw new Error(`registering failed: ${JSON.stringify(state)}`);
    return state;
  }

  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted) await this.#poll(false, this.#stop.signal);
  }

  /** Number of events that came. A server that is away is asked again; a queue that is gone is an error. */
  async #poll(dont_block: boolean, signal?: AbortSignal): Promise<number> {
    const fields = { queue_id: this.#queueId, last_event_id: this.#lastEventId, dont_block };
    const reply = await request(this.#url, this.#account, 'GET', '/events', fields, signal).catch(() => undefined);
    if (!reply) {
      if (!signal?.aborted) await pause(200);
      return 0;
    }
    if (reply['result'] !== 'success') throw new Error(`polling failed: ${JSON.stringify(reply)}`);
    for (const event of reply['events']) this.#apply(event);
    return reply['events'].length;
  }

  #apply(event: Body): void {
    if (event['id'] <= this.#lastEventId) throw new Error(`event ${event['id']} came after ${this.#lastEventId}`);
    this.#lastEventId = event['id'];
    this.heard++;
    this.#state = applyEvent(this.#state, event, this.#account.user_id);
  }
}
