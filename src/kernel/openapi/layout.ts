import { type Html, html } from '#kernel/html';
import type { Field } from './fields.ts';

/** A page of the reference. */
export function layout(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}, Roost API</title><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/api/assets/reference.css"></head>
<body><header><nav aria-label="Reference"><a href="/api/">Operations</a><a href="/api/events">Events</a><a href="/api/schemas">Shapes</a><a href="/api/protocol/README">Protocol</a><a href="/api/v1/openapi.json">OpenAPI</a></nav></header>
<main>
${body}
</main>
<script src="/api/assets/reference.js"></script></body>
</html>
`.toString();
}

/** A sentence of the documentation: code between backticks, and links. */
export function prose(text: string): readonly Html[] {
  return text.split(/(`[^`]*`|\[[^\]]*\]\([^)\s]*\))/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    const link = /^\[([^\]]*)\]\(([^)\s]*)\)$/.exec(part);
    return link ? html`<a href="${link[2]}">${link[1]}</a>` : html`${part}`;
  });
}

/** Citations of the protocol as links to its pages. */
export function cited(source: string): readonly Html[] {
  return source
    .split(/(protocol\/[\w-]+(?:#[\w-]+)?)/)
    .map((part) => (part.startsWith('protocol/') ? html`<a href="/api/${part}">${part}</a>` : html`${part}`));
}

/** Members of an object as a table; names of shapes lead to them. */
export function fieldTable(fields: readonly Field[]): Html {
  return html`<table><thead><tr><th scope="col">Member</th><th scope="col">Kind</th></tr></thead><tbody>
${fields.map(({ name, kind, isOptional }) => html`<tr><td><code>${name}</code></td><td>${shapeLinks(kind)}${isOptional && html`, or absent`}</td></tr>\n`)}</tbody></table>`;
}

function shapeLinks(kind: string): readonly Html[] {
  return kind
    .split(/\b([A-Z][a-z]+[A-Za-z]*)\b/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="/api/schemas#${part}">${part}</a>` : html`${part}`));
}
