import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The fault of the store: none, it never answers, it fails, it is busy, or it ends in the middle of an answer. */
export type Fault = 'none' | 'hangs' | 'fails' | 'is busy' | 'cuts' | 'stalls';

interface Wanted {
  readonly key: string;
  readonly range: string | undefined;
}

/** An object store for single objects that can be given a fault. It accepts any signature. */
export class FaultyStore {
  readonly objects = new Map<string, Buffer>();
  fault: Fault = 'none';
  /** Methods and paths of the requests. */
  readonly asked: string[] = [];
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  /** Starts it; returns its address in the form of the configuration. */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const endpoint = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return `s3://key:secret@files?${new URLSearchParams({ endpoint, region: 'us-east-1' }).toString()}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    this.asked.push(`${method} ${url}`);
    const body = await buffer(request).catch(() => Buffer.alloc(0));
    if (this.fault === 'hangs') return;
    if (this.fault === 'fails') return void response.writeHead(500).end('<Error><Code>InternalError</Code></Error>');
    if (this.fault === 'is busy') return void response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
    const key = decodeURIComponent(url.split('?', 1)[0] ?? '');
    if (method === 'PUT') {
      if (this.fault === 'cuts') return void response.destroy();
      this.objects.set(key, body);
      return void response.writeHead(200, { etag: '"e"' }).end();
    }
    if (method === 'DELETE')
      return void response.writeHead(204, { 'x-was-there': String(this.objects.delete(key)) }).end();
    this.#give(response, method, this.objects.get(key), { key, range: request.headers.range });
  }

  #give(response: ServerResponse, method: string, whole: Buffer | undefined, { key, range }: Wanted): void {
    // The bucket itself always exists.
    if (!whole) return void response.writeHead(/^\/[^/]*\/?$/.test(key) ? 200 : 404).end();
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
    const start = Number(from ?? 0);
    const object = whole.subarray(start, to ? Number(to) + 1 : undefined);
    const part = { 'content-range': `bytes ${start}-${start + object.length - 1}/${whole.length}` };
    response.writeHead(range ? 206 : 200, { 'content-length': object.length, ...(range && part) });
    if (method === 'HEAD') return void response.end();
    if (this.fault !== 'cuts' && this.fault !== 'stalls') return void response.end(object);
    response.write(object.subarray(0, object.length / 2), () => {
      if (this.fault === 'cuts') response.destroy();
    });
  }
}
