import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Endpoints, type Page, page, type PageResponse } from '#kernel/endpoint';
import { openApiDocument } from './document.ts';
import { protocolPage } from './protocol.ts';

/** Files of the reference page that browsers may ask for, with their types. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** Starts the page; a file of its own, so that the page needs no inline script. */
const START =
  "SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });\n";

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Roost API</title><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/api/assets/swagger-ui.css"></head>
<body><div id="reference"></div>
<script src="/api/assets/swagger-ui-bundle.js"></script><script src="/api/assets/start.js"></script></body>
</html>
`;

/** The document at /api/v1/openapi.json, a readable page at /api/, and the protocol's pages below /api/protocol/. */
export function apiPages(endpoints: () => Endpoints, version: string): readonly Page[] {
  // Made once for each address, which hardly ever changes: it takes many times as long as a request.
  const documents = new Map<string, Buffer>();
  const documentAt = (url: string): Buffer => {
    const known = documents.get(url);
    if (known) return known;
    const made = Buffer.from(JSON.stringify(openApiDocument(endpoints(), { version, url })));
    documents.clear();
    documents.set(url, made);
    return made;
  };
  return [
    page({
      methods: ['GET'],
      path: '/api/v1/openapi.json',
      handle: async ({ context }) => json(documentAt(context.server.externalUrl)),
    }),
    page({ methods: ['GET'], path: '/api', handle: () => Promise.resolve({ headers: html, body: PAGE }) }),
    page({
      methods: ['GET'],
      path: '/api/assets/{name}',
      handle: ({ path }) => Promise.resolve(asset(path['name'] ?? '')),
    }),
    page({
      methods: ['GET'],
      path: '/api/protocol/{name}',
      handle: ({ path }) => {
        const body = protocolPage(path['name'] ?? '');
        return Promise.resolve(body === undefined ? { status: 404, body: 'Not found\n' } : { headers: html, body });
      },
    }),
  ];
}

const html = {
  'content-type': 'text/html; charset=utf-8',
  // The reference page sets styles on its elements; scripts come from here only.
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};

function json(body: Buffer): PageResponse {
  return {
    headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
    body,
  };
}

function asset(name: string): PageResponse {
  if (name === 'start.js') return { headers: { 'content-type': 'text/javascript; charset=utf-8' }, body: START };
  const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  if (type === undefined) return { status: 404, body: 'Not found\n' };
  return {
    headers: { 'content-type': type, 'cache-control': 'max-age=86400' },
    body: readFileSync(join(assetFolder(), name)),
  };
}

function assetFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
