import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that a service received. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly authorization: string;
  readonly body: string;
}
/** Answers a request; a function that calls nothing never answers. */
export type Answering = (response: ServerResponse, asked: Asked) => void;

export const json =
  (status: number, body: unknown): Answering =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
export const xml =
  (...elements: readonly string[]): Answering =>
  (response) =>
    void response.end(`<response>\n  ${elements.join('\n  ')}\n</response>`);
/** Answers that no correct service gives. */
export const LIES: Readonly<Record<string, Answering>> = {
  'a page': (response) => void response.end('<html>welcome to our wireless network</html>'),
  nothing: (response) => void response.end(),
  'an error': json(500, { message: 'oh' }),
  'other JSON': json(200, ['join_url', { url: 7 }]),
  'an address to run': json(201, {
    join_url: 'javascript:alert(1)',
    url: 'javascript:alert(1)',
    ocs: { data: { token: '../../evil' } },
  }),
  'a gigabyte': (response) => {
    response.writeHead(200, { 'content-length': 2 ** 30 });
    response.write('x');
  },
  half: (response) => {
    response.writeHead(200, { 'content-length': 500 });
    response.write('{"join_url":', () => response.destroy());
  },
  'a redirect': (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
};

/** Services that host calls, outside of Roost. Each test sets their answers. */
export class Services {
  readonly asked: Asked[] = [];
  answers: Record<string, Answering> = {};
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = (await buffer(request)).toString();
    const asked = { method, url, authorization: headers.authorization ?? '', body };
    this.asked.push(asked);
    const path = url.split('?', 1)[0] ?? '';
    (this.answers[path] ?? json(404, {}))(response, asked);
  }
}
