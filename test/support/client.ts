import type { Server } from '../../src/server.ts';
import { assertDocumented } from './documented-events.ts';

type Value = string | number | boolean | null | readonly unknown[] | object;
export type Parameters = Readonly<Record<string, Value | undefined>>;
// A reply has the shape of its declaration; tests read any field of it.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Body = Record<string, any>;
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** A reply with its status, for tests of failures and headers. */
export interface Reply {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A file as a form sends it. */
export interface FilePart {
  /** Name of the form part; "file" by default. */
  readonly field?: string;
  readonly name: string;
  readonly content: string | Buffer;
  readonly type?: string | undefined;
}

function multipart(files: readonly FilePart[], fields: Parameters) {
  const boundary = 'part-of-a-form';
  const parts = Object.entries(fields).flatMap(([name, value]) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`,
    `${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`,
  ]);
  const fileParts = files.flatMap(({ field = 'file', name, content, type }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n`,
    type === undefined ? '\r\n' : `Content-Type: ${type}\r\n\r\n`,
    content,
    '\r\n',
  ]);
  const payload = Buffer.concat([...parts, ...fileParts, `--${boundary}--\r\n`].map((part) => Buffer.from(part)));
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

/** Encodes strings as they are and everything else as JSON, as the official clients do. */
function encode(parameters: Parameters): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form.toString();
}

/** A user of the API, or a spectator without credentials. */
export class Client {
  readonly #server: Server;
  /** The Authorization header; empty for a spectator. */
  readonly authorization: string;
  readonly apiKey: string;
  readonly email: string;
  readonly userId: number;

  constructor(server: Server, account?: { email: string; api_key: string; user_id: number }) {
    this.#server = server;
    this.email = account?.email ?? '';
    this.userId = account?.user_id ?? 0;
    this.apiKey = account?.api_key ?? '';
    this.authorization = account
      ? `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString('base64')}`
      : '';
  }

  /** Returns a client of the same account for another server. */
  at(server: Server): Client {
    return new Client(server, { email: this.email, api_key: this.apiKey, user_id: this.userId });
  }

  async request(
    method: Method,
    path: string,
    parameters: Parameters = {},
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const form = encode(parameters);
    const inQuery = method === 'GET' && form !== '';
    const response = await this.#server.listener.inject({
      method,
      url: `/api/v1${path}${inQuery ? `?${form}` : ''}`,
      headers: {
        ...(this.authorization !== '' && { authorization: this.authorization }),
        ...(method !== 'GET' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(method !== 'GET' && { payload: form }),
    });
    return {
      status: response.statusCode,
      body: response.body === '' ? {} : response.json(),
      headers: response.headers,
    };
  }

  /** Makes a call that must succeed and must not have parameters that the operation does not know. */
  async call(method: Method, path: string, parameters: Parameters = {}): Promise<Body> {
    const { status, body } = await this.request(method, path, parameters);
    if (status !== 200 || body['result'] !== 'success')
      throw new Error(`${method} ${path} failed: ${status} ${JSON.stringify(body)}`);
    if (body['ignored_parameters_unsupported'])
      throw new Error(`${method} ${path} ignored ${body['ignored_parameters_unsupported']}`);
    return body;
  }

  /** Sends files as parts of a form, as browsers do; returns any answer. */
  async send(
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    files: readonly FilePart[],
    fields: Parameters = {},
  ): Promise<Reply> {
    const response = await this.fetch(`/api/v1${path}`, { method, ...multipart(files, fields) });
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  }

  /** Uploads a file; returns the server's answer. */
  async upload(name: string, content: string | Buffer = 'content', type?: string): Promise<Body> {
    const { status, body } = await this.send('POST', '/user_uploads', [{ name, content, type }]);
    if (status !== 200) throw new Error(`the upload failed: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Makes any request, with the caller's credentials. */
  fetch(
    url: string,
    options: { method?: Method | 'HEAD' | 'OPTIONS'; headers?: Record<string, string>; payload?: Buffer } = {},
  ) {
    return this.#server.listener.inject({
      method: options.method ?? 'GET',
      url,
      headers: { ...(this.authorization !== '' && { authorization: this.authorization }), ...options.headers },
      ...(options.payload && { payload: options.payload }),
    });
  }

  get = (path: string, parameters?: Parameters): Promise<Body> => this.call('GET', path, parameters);
  post = (path: string, parameters?: Parameters): Promise<Body> => this.call('POST', path, parameters);
  patch = (path: string, parameters?: Parameters): Promise<Body> => this.call('PATCH', path, parameters);
  put = (path: string, parameters?: Parameters): Promise<Body> => this.call('PUT', path, parameters);
  delete = (path: string, parameters?: Parameters): Promise<Body> => this.call('DELETE', path, parameters);

  /** Makes a call that must fail; returns the error. */
  async refused(
    method: Method,
    path: string,
    parameters: Parameters = {},
  ): Promise<{ status: number; code: string; msg: string } & Body> {
    const { status, body } = await this.request(method, path, parameters);
    if (status < 400 || status >= 500 || body['result'] !== 'error')
      throw new Error(`${method} ${path} was not refused: ${status} ${JSON.stringify(body).slice(0, 300)}`);
    return { status, ...body, code: body['code'], msg: body['msg'] };
  }

  /** Registers a queue and returns it with the state. */
  async register(parameters: Parameters = {}): Promise<TestQueue> {
    const state = await this.post('/register', parameters);
    return new TestQueue(this, state);
  }
}

/** An event queue, with what a client knows of it. */
export class TestQueue {
  readonly state: Body;
  #client: Client;
  #lastEventId: number;

  constructor(client: Client, state: Body) {
    this.#client = client;
    this.state = state;
    this.#lastEventId = state['last_event_id'];
  }

  /** Continues polling through another client of the same account. */
  at(client: Client): this {
    this.#client = client;
    return this;
  }

  get id(): string {
    return this.state['queue_id'];
  }

  get lastEventId(): number {
    return this.#lastEventId;
  }

  /** Returns the events since the last call without waiting, and acknowledges them. */
  async events(): Promise<Body[]> {
    const { events } = await this.#client.get('/events', {
      queue_id: this.id,
      last_event_id: this.#lastEventId,
      dont_block: true,
    });
    this.#lastEventId = events.at(-1)?.id ?? this.#lastEventId;
    assertDocumented(events);
    return events;
  }

  /** Waits for an event. */
  async wait(): Promise<Body[]> {
    const { events } = await this.#client.get('/events', { queue_id: this.id, last_event_id: this.#lastEventId });
    this.#lastEventId = events.at(-1)?.id ?? this.#lastEventId;
    assertDocumented(events);
    return events;
  }
}
