import { type Endpoints, type Page, page, type PageResponse } from '#kernel/endpoint';
import type { AnyEventType } from '#kernel/events';
import { SCRIPT, STYLE } from './assets.ts';
import { openApiDocument } from './document.ts';
import { eventPage, indexPage, schemaPage } from './index-page.ts';
import { operationPage } from './operation-page.ts';
import { protocolPage } from './protocol.ts';

/** Sources of the reference. */
interface Declarations {
  readonly endpoints: Endpoints;
  readonly events: readonly AnyEventType[];
}

/**
 * The document at /api/v1/openapi.json; the reference at /api/, with a page for each operation, one of events and one
 * of shapes; and the protocol's pages below /api/protocol/.
 */
export function apiPages(declarations: () => Declarations, version: string): readonly Page[] {
  const made = new OncePerAddress();
  const documentAt = (url: string) =>
    made.get(url, 'openapi.json', async () =>
      JSON.stringify(await openApiDocument(declarations().endpoints, { version, url })),
    );
  const shown = (path: string, make: (url: string) => Promise<string>): Page =>
    page({
      methods: ['GET'],
      path,
      handle: async ({ context }) => {
        const url = context.server.externalUrl;
        return { headers: HTML, body: await made.get(url, path, () => make(url)) };
      },
    });
  return [
    page({
      methods: ['GET'],
      path: '/api/v1/openapi.json',
      handle: async ({ context }) => ({ headers: JSON_TYPE, body: await documentAt(context.server.externalUrl) }),
    }),
    shown('/api', async () => indexPage(declarations().endpoints)),
    shown('/api/events', async () => eventPage(declarations().events)),
    shown('/api/schemas', async (url) => schemaPage(JSON.parse((await documentAt(url)).toString()))),
    page({
      methods: ['GET'],
      path: '/api/operations/{id}',
      handle: async ({ path, context }) => {
        const { endpoints } = declarations();
        const endpoint = endpoints.find(({ id }) => id === path['id']);
        if (!endpoint) return MISSING;
        return { headers: HTML, body: operationPage(endpoint, endpoints, context.server.externalUrl) };
      },
    }),
    page({ methods: ['GET'], path: '/api/assets/{name}', handle: async ({ path }) => asset(path['name'] ?? '') }),
    page({
      methods: ['GET'],
      path: '/api/protocol/{name}',
      handle: async ({ path }) => {
        const body = protocolPage(path['name'] ?? '');
        return body === undefined ? MISSING : { headers: HTML, body };
      },
    }),
  ];
}

/**
 * Caches answers for one address of the server, which hardly ever changes: making them takes many times as long as a
 * request.
 */
class OncePerAddress {
  #url = '';
  readonly #made = new Map<string, Promise<Buffer>>();

  get(url: string, name: string, make: () => Promise<string>): Promise<Buffer> {
    if (url !== this.#url) this.#made.clear();
    this.#url = url;
    const known = this.#made.get(name);
    if (known) return known;
    const making = make().then((body) => Buffer.from(body));
    this.#made.set(name, making);
    making.catch(() => this.#made.delete(name));
    return making;
  }
}

const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
const JSON_TYPE = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
const MISSING: PageResponse = { status: 404, body: 'Not found\n' };

function asset(name: string): PageResponse {
  if (name === 'reference.css') return { headers: { 'content-type': 'text/css; charset=utf-8' }, body: STYLE };
  if (name === 'reference.js') return { headers: { 'content-type': 'text/javascript; charset=utf-8' }, body: SCRIPT };
  return MISSING;
}
