import { foreignNodes } from '../../rendered/index.ts';
import type { Selected } from './formatting.ts';
import { markdownOf } from './rich.ts';

interface Pasted {
  getData(type: string): string;
}

/** Returns the text to insert for pasted content; undefined to leave it to the browser. */
export function pasted(data: Pasted, { text, from, to }: Selected): string | undefined {
  const plain = data.getData('text/plain');
  const chosen = text.slice(from, to);
  // An address pasted over words makes them a link.
  if (chosen !== '' && !chosen.includes('\n') && /^https?:\/\/\S+$/.test(plain.trim()) && !/^https?:/.test(chosen))
    return `[${chosen}](${plain.trim()})`;
  const rows = plain.replace(/\r/g, '').replace(/\n$/, '').split('\n');
  const html = data.getData('text/html');
  if (isTable(rows, html)) return tableOf(rows);
  return FORMATTED.test(html) && html.length <= MAX_HTML ? formatted(html, plain) : undefined;
}

/** Elements that count as formatting; without one of them the plain text is enough. */
const FORMATTED = /<(?:strong|b|em|i|del|s|strike|code|pre|a|h[1-6]|ul|ol|blockquote|span)[\s>]/i;
/** Longest HTML that is converted, in characters; of longer content the plain text is taken. */
const MAX_HTML = 500_000;

function formatted(html: string, plain: string): string | undefined {
  const text = markdownOf(foreignNodes(html));
  const words = (one: string) => one.replaceAll(/\s+/g, '');
  return words(text) === words(plain) ? undefined : text;
}

/** Whether the content is cells of a spreadsheet: lines with tabs, and a table in HTML. */
function isTable(rows: readonly string[], html: string): boolean {
  const cells = rows.map((row) => row.split('\t').length);
  return (
    rows.length > 1 && html.includes('<table') && (cells[0] ?? 0) > 1 && cells.every((count) => count === cells[0])
  );
}

function tableOf(rows: readonly string[]): string {
  const lines = rows.map((row) => `| ${row.split('\t').map(escaped).join(' | ')} |`);
  const rule = `|${' --- |'.repeat(rows[0]?.split('\t').length ?? 0)}`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

const escaped = (cell: string) => cell.trim().replaceAll('|', '\\|');
