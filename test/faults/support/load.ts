import { isDeepStrictEqual } from 'node:util';
import type { Body } from '../../support/client.ts';
import { pause } from '../../support/pause.ts';
import { fetchAny, Uploads } from './uploads.ts';
import { applyEvent, MODERN, pick, syncedFields, toldFields } from '../../support/sync.ts';

/** Milliseconds after which a client gives a request up. */
const PATIENCE_MS = 15_000;
/** Milliseconds before a client that was refused asks again. */
const AGAIN_MS = 50;

/** What is written of a request that was given up. */
const LATE = 'no answer in time';

interface Account {
  readonly email: string;
  readonly api_key: string;
  readonly user_id: number;
}

/** An answer; status 0 where there was none: no connection, or one that broke, or not in time. */
interface Answer {
  readonly status: number;
  readonly body: Body;
}

/** Addresses of the processes; each request goes to any of them. */
export type Nodes = () => readonly string[];

/** What was seen of a fault from outside. */
export interface Seen {
  /** Answers by status and code: `200`, `503 SERVER_NOT_READY`, `no answer`. */
  readonly answers: Readonly<Record<string, number>>;
  /** Requests that had no answer, and what is known of why. */
  readonly broken: readonly string[];
  readonly acknowledged: number;
  /** Milliseconds between two acknowledged sends of anybody. */
  readonly gaps: { readonly p50: number; readonly max: number };
  /** Longest time in which a follower's polls failed one after another, in milliseconds. */
  readonly pollsFailedMs: number;
  /** Files that were acknowledged. */
  readonly files: number;
}

/** Clients that send and follow through whatever happens, and remember what they were promised. */
export class Load {
  readonly #nodes: Nodes;
  readonly #accounts: readonly Account[];
  readonly #acknowledged = new Map<number, string>();
  readonly #attempted = new Set<string>();
  readonly #acknowledgedAt: number[] = [];
  readonly #answers = new Map<string, number>();
  readonly #broken = new Set<string>();
  readonly #followers: Follower[] = [];
  readonly #uploads: Uploads[] = [];
  #isOver = false;
  /** Whether all has been sent but what wakes clients: how long files take after that says nothing of sends. */
  #isMeasured = false;
  #isQuiet = false;
  #sending: Promise<unknown>[] = [];
  #uploading: Promise<unknown>[] = [];
  #following: Promise<unknown>[] = [];
  readonly #paceMs: number;
  readonly #name: string;

  /** `paceMs`: how long each sender rests after a message. */
  constructor(name: string, nodes: Nodes, accounts: readonly Account[], paceMs: number) {
    this.#name = name;
    this.#nodes = nodes;
    this.#accounts = accounts;
    this.#paceMs = paceMs;
  }

  async begin(senders: number, followers: number, uploaders = 0): Promise<void> {
    for (let index = 0; index < followers; index++) {
      const account = this.#account(index + 1);
      const follower = new Follower((...request) => this.ask(account, ...request), account);
      await follower.register();
      this.#followers.push(follower);
    }
    for (let index = 0; index < uploaders; index++) {
      const fetching = fetchAny(this.#nodes, authorizationOf(this.#account(index + 1)));
      this.#uploads.push(new Uploads(`${this.#name} ${index}`, fetching));
    }
    this.#sending = Array.from({ length: senders }, (_, index) => this.#send(index));
    this.#uploading = this.#uploads.map((uploads) => uploads.sendUntil(() => this.#isOver));
    this.#following = this.#followers.map((follower) => follower.follow(() => this.#isQuiet));
  }

  /** Messages that were acknowledged so far. */
  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#sending);
    await this.#insist('last');
    this.#isMeasured = true;
    await Promise.all(this.#uploading);
    this.#isQuiet = true;
    // Wakes clients that wait, so that none sits a whole poll out.
    await this.#insist('wake');
    await Promise.all(this.#following);
    for (const follower of this.#followers) await follower.catchUp();
  }

  /** Asks any of the processes. */
  async ask(account: Account, method: string, path: string, fields: Body = {}, node?: number): Promise<Answer> {
    const nodes = this.#nodes();
    const base = nodes[node ?? Math.floor(Math.random() * nodes.length)] ?? '';
    const answer = await ask(base, account, method, path, fields);
    const code = answer.status === 200 ? '' : ` ${answer.body['code'] ?? ''}`;
    const name = answer.status === 0 ? (answer.body['code'] ?? 'no answer') : `${answer.status}${code}`;
    this.#answers.set(name, (this.#answers.get(name) ?? 0) + 1);
    if (answer.body['why']) this.#broken.add(answer.body['why']);
    return answer;
  }

  seen(): Seen {
    const gaps = this.#acknowledgedAt.slice(1).map((at, index) => at - (this.#acknowledgedAt[index] ?? at));
    const ordered = gaps.toSorted((a, b) => a - b);
    return {
      answers: Object.fromEntries([...this.#answers].toSorted(([a], [b]) => a.localeCompare(b))),
      broken: [...this.#broken],
      acknowledged: this.#acknowledged.size,
      gaps: { p50: Math.round(ordered[ordered.length >> 1] ?? 0), max: Math.round(ordered.at(-1) ?? 0) },
      files: this.#uploads.reduce((sum, { seen }) => sum + seen.files, 0),
      pollsFailedMs: Math.round(Math.max(0, ...this.#followers.map((follower) => follower.failedMs))),
    };
  }

  /** What does not hold of what clients were promised; nothing may. Asks the processes, once they can be asked again. */
  async faults(): Promise<readonly string[]> {
    const stored = await this.#stored();
    const faults: string[] = [];
    const counts = new Map<string, number>();
    for (const content of stored.values()) counts.set(content, (counts.get(content) ?? 0) + 1);
    for (const [id, content] of this.#acknowledged)
      if (stored.get(id) !== content) faults.push(`message ${id} was acknowledged and is lost`);
    for (const content of this.#attempted)
      if ((counts.get(content) ?? 0) > 1) faults.push(`"${content}" is there ${counts.get(content)} times`);
    for (const follower of this.#followers) faults.push(...(await follower.faults(stored)));
    for (const uploads of this.#uploads) faults.push(...(await uploads.faults()));
    return faults;
  }

  async #send(number: number): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      if (!(await this.#sendOne(number, `message ${i}`))) await pause(AGAIN_MS);
      if (this.#paceMs > 0) await pause(this.#paceMs);
    }
  }

  /** Sends until a message is acknowledged. */
  async #insist(text: string): Promise<void> {
    for (let i = 0; !(await this.#sendOne(0, `${text} ${i}`)); i++);
  }

  /** Sends one message; whether it was acknowledged. */
  async #sendOne(number: number, text: string): Promise<boolean> {
    const content = `${this.#name}: sender ${number}, ${text}`;
    this.#attempted.add(content);
    const fields = { type: 'channel', to: 'general', topic: 'faults', content };
    // Some stay with the last process: what another one suffers must not stop them.
    const node = number % 2 === 1 ? this.#nodes().length - 1 : undefined;
    const { status, body } = await this.ask(this.#account(number), 'POST', '/messages', fields, node);
    if (status !== 200) return false;
    this.#acknowledged.set(body['id'], content);
    if (!this.#isMeasured) this.#acknowledgedAt.push(performance.now());
    return true;
  }

  /** All messages of this load, by ID. */
  async #stored(): Promise<ReadonlyMap<number, string>> {
    const stored = new Map<number, string>();
    for (let anchor = 0; ; ) {
      const { status, body } = await this.ask(this.#account(1), 'GET', '/messages', {
        narrow: [
          ['channel', 'general'],
          ['topic', 'faults'],
        ],
        anchor: String(anchor),
        num_before: 0,
        num_after: 1000,
        apply_markdown: false,
        allow_empty_topic_name: true,
      });
      if (status !== 200) {
        await pause(AGAIN_MS);
        continue;
      }
      for (const { id, content } of body['messages']) {
        if (String(content).startsWith(`${this.#name}: `)) stored.set(id, content);
        anchor = Math.max(anchor, id + 1);
      }
      if (body['found_newest']) return stored;
    }
  }

  #account(index: number): Account {
    const account = this.#accounts[index % this.#accounts.length];
    if (!account) throw new Error('nobody is there to send');
    return account;
  }
}

/** A client with a queue: what it is told it remembers, and polls on whatever it is answered. */
class Follower {
  readonly #ask: (method: string, path: string, fields?: Body) => Promise<Answer>;
  readonly #account: Account;
  readonly #events: Body[] = [];
  readonly #problems: string[] = [];
  #state: Body = {};
  #failingSince: number | undefined;
  failedMs = 0;

  constructor(asking: (method: string, path: string, fields?: Body) => Promise<Answer>, account: Account) {
    this.#ask = asking;
    this.#account = account;
  }

  async register(): Promise<void> {
    this.#state = await this.#registered();
  }

  async follow(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#poll(false);
  }

  /** Takes what is still on its way. */
  async catchUp(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) quiet = (await this.#poll(true)) ? 0 : quiet + 1;
  }

  /** What does not hold of its events. */
  async faults(stored: ReadonlyMap<number, string>): Promise<readonly string[]> {
    const ids = this.#events.map((event) => Number(event['id']));
    const descent = ids.findIndex((id, index) => index > 0 && id <= (ids[index - 1] ?? 0));
    if (descent > 0) this.#problems.push(`event ${ids[descent]} came after ${ids[descent - 1]}`);
    const heard = this.#events.filter((event) => event['type'] === 'message').map((event) => event['message'].id);
    if (new Set(heard).size < heard.length) this.#problems.push('a message was told twice');
    if (heard.some((id, index) => index > 0 && id <= heard[index - 1])) this.#problems.push('messages descend');
    const missed = [...stored.keys()].filter((id) => !new Set(heard).has(id));
    if (missed.length > 0) this.#problems.push(`${missed.length} stored messages were not told, as ${missed[0]}`);
    const kept = this.#events.reduce((state, event) => applyEvent(state, event, this.#account.user_id), this.#state);
    const fresh = await this.#registered();
    const fields = toldFields(kept, syncedFields());
    for (const field of fields)
      if (!isDeepStrictEqual(pick(kept, [field]), pick(fresh, [field])))
        this.#problems.push(`${field} is not what the events say`);
    return this.#problems;
  }

  async #registered(): Promise<Body> {
    for (;;) {
      const { status, body } = await this.#ask('POST', '/register', MODERN);
      if (status === 200) return body;
      await pause(AGAIN_MS);
    }
  }

  /** Asks for events once; whether there were some. */
  async #poll(dontBlock: boolean): Promise<boolean> {
    const last = this.#events.at(-1)?.['id'] ?? this.#state['last_event_id'];
    const fields = { queue_id: this.#state['queue_id'], last_event_id: last, dont_block: dontBlock };
    const begun = performance.now();
    const { status, body } = await this.#ask('GET', '/events', fields);
    if (status === 200) {
      this.#failingSince = undefined;
      this.#events.push(...body['events']);
      return body['events'].length > 0;
    }
    if (status !== 0 && status !== 503) this.#problems.push(`a poll was answered ${status} ${body['code']}`);
    this.#failingSince ??= begun;
    this.failedMs = Math.max(this.failedMs, performance.now() - this.#failingSince);
    await pause(AGAIN_MS);
    return true;
  }
}

function authorizationOf({ email, api_key }: Account): string {
  return `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`;
}

/** What broke a request, as far as the client can say. */
function whyOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && 'code' in cause ? `${String(cause.code)} ` : '';
  return `${code}${cause instanceof Error ? cause.message : String(cause)}`;
}

async function ask(base: string, account: Account, method: string, path: string, fields: Body): Promise<Answer> {
  const form = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const isGet = method === 'GET';
  const isPoll = path === '/events';
  try {
    const response = await fetch(`${base}/api/v1${path}${isGet ? `?${form.toString()}` : ''}`, {
      method,
      headers: { authorization: authorizationOf(account) },
      signal: AbortSignal.timeout(isPoll ? PATIENCE_MS * 5 : PATIENCE_MS),
      ...(!isGet && { body: form }),
    });
    const { status } = response;
    if (status === 503 && response.headers.get('retry-after') === null)
      return { status: 503, body: { code: 'without Retry-After' } };
    return { status, body: (await response.json()) as Body };
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return { status: 0, body: isLate ? { code: LATE } : { why: `${method} ${path}: ${whyOf(error)}` } };
  }
}
