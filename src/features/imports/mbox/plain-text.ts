import { Parser } from 'htmlparser2';

/** Elements that begin a line, and those whose text nobody reads. */
const BLOCKS = new Set([
  'p',
  'div',
  'br',
  'li',
  'tr',
  'h1',
  'h2',
  'h3',
  'h4',
  'blockquote',
  'pre',
  'table',
  'ul',
  'ol',
]);
const HIDDEN = new Set(['script', 'style', 'head', 'title']);

/** What a mail says: its plain text, or that of its HTML. */
export function plainText(text: string | undefined, html: string | undefined): string {
  const found = text !== undefined && text.trim() !== '' ? text : textOf(html ?? '');
  return found.replaceAll('\r\n', '\n').trim();
}

function textOf(html: string): string {
  const parts: string[] = [];
  let hidden = 0;
  const parser = new Parser({
    onopentagname: (name) => {
      if (HIDDEN.has(name)) hidden++;
      if (BLOCKS.has(name)) parts.push('\n');
    },
    onclosetag: (name) => {
      if (HIDDEN.has(name)) hidden--;
    },
    ontext: (part) => {
      if (hidden === 0) parts.push(part.replaceAll(/\s+/g, ' '));
    },
  });
  parser.end(html);
  return parts
    .join('')
    .replaceAll(/ *\n */g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}
