import { existsSync, readFileSync } from 'node:fs';
import { type Html, html } from '#kernel/html';
import { headingSlug } from '#kernel/text';
import { layout } from './layout.ts';

/** The folder docs/protocol: beside the folder of the bundle, or at the root where the server runs from its sources. */
const folder = [
  new URL('../docs/protocol/', import.meta.url),
  new URL('../../../docs/protocol/', import.meta.url),
].find((url) => existsSync(new URL('README.md', url)));

/**
 * Returns a page of the protocol as HTML: its text as written, with headings and links that can be followed; undefined
 * for an unknown page.
 */
export function protocolPage(name: string): string | undefined {
  if (!folder || !/^(?:[a-z][a-z-]*|README)$/.test(name)) return undefined;
  const file = new URL(`${name}.md`, folder);
  return existsSync(file) ? shown(name, readFileSync(file, 'utf8')) : undefined;
}

function shown(name: string, markdown: string): string {
  return layout(
    name,
    html`<h1>Protocol: ${name}</h1>
<pre class="page">${markdown.split('\n').map(line)}</pre>`,
  );
}

function line(text: string): Html {
  const heading = /^#{1,6} (.+)$/.exec(text)?.[1];
  if (heading === undefined) return html`${linked(text)}\n`;
  return html`<strong id="${headingSlug(heading)}">${linked(text)}</strong>\n`;
}

/** Makes links to pages of the protocol; other links stay text. */
function linked(text: string): readonly Html[] {
  return text.split(/(\[[^\]]*\]\((?:[\w-]+\.md)?(?:#[\w-]+)?\))/).map((part) => {
    const link = /^\[([^\]]*)\]\((?:([\w-]+)\.md)?(#[\w-]+)?\)$/.exec(part);
    return link ? html`<a href="${link[2] ?? ''}${link[3] ?? ''}">${link[1]}</a>` : html`${part}`;
  });
}
