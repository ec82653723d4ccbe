import type { Server } from '../../src/server.ts';

/** An answer as a browser receives it. */
export interface Shown {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A browser without a window: it keeps cookies, and sends forms with the token of the page. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** The languages that it asks for; none if empty. */
  language = '';
  readonly #server: Server;
  readonly #address: string;
  readonly #userAgent: string;
  readonly #host: string | undefined;
  #token = '';

  /** `host`: that of the organization to visit; without it the first one. */
  constructor(server: Server, address = '127.0.0.1', userAgent = '', host?: string) {
    this.#server = server;
    this.#address = address;
    this.#userAgent = userAgent;
    this.#host = host;
  }

  get(url: string): Promise<Shown> {
    return this.#send('GET', url, '');
  }

  /** Sends a form with the newest token. */
  post(url: string, fields: Readonly<Record<string, string>>): Promise<Shown> {
    return this.#send('POST', url, new URLSearchParams({ csrfmiddlewaretoken: this.#token, ...fields }).toString());
  }

  async #send(method: 'GET' | 'POST', url: string, payload: string): Promise<Shown> {
    const response = await this.#server.listener.inject({
      method,
      url,
      remoteAddress: this.#address,
      headers: {
        'user-agent': this.#userAgent,
        ...(this.language !== '' && { 'accept-language': this.language }),
        ...(this.#host !== undefined && { host: this.#host }),
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(method === 'POST' && { payload }),
    });
    for (const { name, value } of response.cookies) this.cookies.set(name, value);
    this.#token = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(response.body)?.[1] ?? this.#token;
    const { location } = response.headers;
    return {
      status: response.statusCode,
      text: response.body,
      location: location?.toString(),
      headers: response.headers,
    };
  }
}
