import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Endpoints, type Page, page, type PageResponse } from '#kernel/endpoint';
import { openApiDocument } from './document.ts';

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

/** The document at /api/v1/openapi.json and a readable page at /api/. */
export function apiPages(endpoints: () => Endpoints, version: string): readonly Page[] {
  return [
    page({
      methods: ['GET'],
      path: '/api/v1/openapi.json',
      handle: async ({ kit }) => json(openApiDocument(endpoints(), { version, url: kit.server.externalUrl })),
    }),
    page({ methods: ['GET'], path: '/api', handle: () => Promise.resolve({ headers: html, body: PAGE }) }),
    page({
      methods: ['GET'],
      path: '/api/assets/{name}',
      handle: ({ path }) => Promise.resolve(asset(path['name'] ?? '')),
    }),
  ];
}

const html = {
  'content-type': 'text/html; charset=utf-8',
  // The reference page sets styles on its elements; scripts come from here only.
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};

function json(document: unknown): PageResponse {
  return {
    headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
    body: JSON.stringify(document),
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
