import { html } from '#kernel/html';
import type { PersonalMessage } from './messages.ts';

/** The head of a page. By its policy nothing runs or is loaded from elsewhere; pictures are files beside it. */
const HEAD = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
article { border-top: 1px solid #8884; padding: .5rem 0 } header { color: #777 } img { max-width: 100% }
table { border-collapse: collapse; width: 100% } td { border-top: 1px solid #8884; padding: .25rem .5rem .25rem 0; vertical-align: top; overflow-wrap: anywhere }
</style>
`;

/** A page with a title. The body is HTML. */
export function htmlPage(title: string, body: string): string {
  return `${HEAD}${String(html`<title>${title}</title>\n<h1>${title}</h1>`)}\n${body}\n</html>\n`;
}

/** Rows of a table, each as a list of its columns. */
export function htmlRows(rows: readonly Readonly<Record<string, unknown>>[]): string {
  return rows
    .map((row) => {
      const cells = Object.entries(row).filter(([, value]) => value !== null && value !== '');
      const lines = cells.map(([name, value]) => html`<tr><td>${name}<td>${asText(value)}`);
      return String(html`<article><table>${lines}</table></article>`);
    })
    .join('\n');
}

/** Messages one after another. The server made and sanitised their HTML; links to files lead into the archive. */
export function htmlMessages(messages: readonly PersonalMessage[]): string {
  return messages
    .map(({ sender, place, sent_at, rendered_content }) => {
      const time = new Date(sent_at * 1000).toISOString().slice(0, 16).replace('T', ' ');
      const head = html`<header><b>${sender}</b> in ${place}, ${time} UTC</header>`;
      return `<article>${String(head)}${withLocalFiles(rendered_content)}</article>`;
    })
    .join('\n');
}

/** Path of a message's file in the archive. */
export const filePath = (pathId: string): string => `files/${pathId}`;

/** Rewrites links to uploads and their thumbnails to files of the archive. */
function withLocalFiles(html: string): string {
  return html
    .replace(/"\/user_uploads\/thumbnail\/([^"]+)\/[^"/]+"/g, (_all, path: string) => `"../${filePath(path)}"`)
    .replace(/"\/user_uploads\/([^"]+)"/g, (_all, path: string) => `"../${filePath(path)}"`);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
