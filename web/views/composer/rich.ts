import { STYLE } from '../../rendered/index.ts';

/** What the converter reads of a parsed document; DOM nodes have it. */
export interface RichNode {
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes: Iterable<RichNode>;
  readonly getAttribute?: (name: string) => string | null;
}

/** Elements that are left out with their content. */
const SILENT: ReadonlySet<string> = new Set(['STYLE', 'SCRIPT', 'HEAD', 'TITLE', 'TEMPLATE', 'NOSCRIPT', 'SVG']);
const BLOCKS: ReadonlySet<string> = new Set(
  'P DIV SECTION ARTICLE HEADER FOOTER MAIN FIGURE DL DT DD ADDRESS DETAILS SUMMARY'.split(' '),
);
const MARKS: Readonly<Record<string, string>> = {
  STRONG: '**',
  B: '**',
  EM: '*',
  I: '*',
  DEL: '~~',
  S: '~~',
  STRIKE: '~~',
};
/** Deepest nesting that is converted. */
const MAX_DEPTH = 50;

/** Finished blocks, and the current line. */
interface Written {
  readonly blocks: string[];
  line: string;
}

/**
 * Converts formatted text to Markdown: marks, links, headings, lists, quotes and code; of other elements only the text.
 */
export function markdownOf(node: RichNode): string {
  return blocksIn(node, 0).join('\n\n');
}

function blocksIn(node: RichNode, depth: number): readonly string[] {
  const out: Written = { blocks: [], line: '' };
  if (depth > MAX_DEPTH) return out.blocks;
  inside(node, out, depth + 1);
  flush(out);
  return out.blocks;
}

function inside(node: RichNode, out: Written, depth: number): void {
  for (const child of node.childNodes) write(child, out, depth);
}

/** Ends the current line as a block of its own. */
function flush(out: Written): void {
  const text = out.line.replaceAll(/ *\n */g, '\n').trim();
  if (text !== '') out.blocks.push(text);
  out.line = '';
}

function write(node: RichNode, out: Written, depth: number): void {
  const name = node.nodeName.toUpperCase();
  if (name === '#TEXT') out.line += (node.nodeValue ?? '').replaceAll(/\s+/g, ' ');
  else if (name === 'BR') out.line += '\n';
  else if (name.startsWith('#') || SILENT.has(name)) return;
  else if (BLOCKS.has(name)) apart(out, blocksIn(node, depth));
  else if (name === 'PRE') apart(out, [`\`\`\`\n${textOf(node).replace(/\n$/, '')}\n\`\`\``]);
  else if (/^H[1-6]$/.test(name)) apart(out, [`${'#'.repeat(Number(name[1]))} ${lineOf(blocksIn(node, depth))}`]);
  else if (name === 'UL' || name === 'OL') apart(out, [listOf(node, name === 'OL', depth)]);
  else if (name === 'BLOCKQUOTE') apart(out, [quoted(blocksIn(node, depth))]);
  else if (name === 'TR') apart(out, [[...node.childNodes].map((cell) => lineOf(blocksIn(cell, depth))).join(' ')]);
  else marked(node, name, out, depth);
}

function apart(out: Written, blocks: readonly string[]): void {
  flush(out);
  out.blocks.push(...blocks.filter((block) => block.trim() !== ''));
}

const lineOf = (blocks: readonly string[]) => blocks.join(' ').replaceAll('\n', ' ');

function textOf(node: RichNode): string {
  if (node.nodeName.toUpperCase() === 'BR') return '\n';
  return node.nodeValue ?? [...node.childNodes].map(textOf).join('');
}

function listOf(list: RichNode, isNumbered: boolean, depth: number): string {
  const items = [...list.childNodes].map((item) => blocksIn(item, depth)).filter((blocks) => blocks.length > 0);
  return items
    .map((blocks, index) => {
      const mark = isNumbered ? `${index + 1}. ` : '- ';
      return mark + blocks.join('\n').replaceAll('\n', `\n${' '.repeat(mark.length)}`);
    })
    .join('\n');
}

function quoted(blocks: readonly string[]): string {
  return blocks
    .join('\n\n')
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** Writes an inline element, or one around blocks, because some programs wrap everything they copy in one. */
function marked(node: RichNode, name: string, out: Written, depth: number): void {
  const own: Written = { blocks: [], line: '' };
  if (depth <= MAX_DEPTH) inside(node, own, depth + 1);
  if (own.blocks.length > 0) {
    flush(own);
    return apart(out, own.blocks);
  }
  const [lead = '', words = '', tail = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(own.line)?.slice(1) ?? [];
  out.line += words === '' || words.includes('\n') ? own.line : `${lead}${dressed(node, name, words)}${tail}`;
}

function dressed(node: RichNode, name: string, words: string): string {
  if (name === 'CODE' || name === 'KBD' || name === 'SAMP' || name === 'TT') return `\`${words}\``;
  const address = name === 'A' ? (node.getAttribute?.('href') ?? '') : '';
  if (/^(?:https?|mailto):/i.test(address)) return isSame(address, words) ? words : `[${words}](${address})`;
  return marksOf(node, name).reduce((text, mark) => `${mark}${text}${mark}`, words);
}

/** Whether an address is its own text, except for the final slash that browsers add. */
function isSame(address: string, words: string): boolean {
  return address.replace(/\/$/, '') === words.replace(/\/$/, '');
}

/** Returns the marks of an element: by its name, or by its style, as word processors write it. */
function marksOf(node: RichNode, name: string): readonly string[] {
  const style = node.getAttribute?.(STYLE) ?? '';
  const weight = /font-weight:\s*(\w+)/.exec(style)?.[1];
  const own = MARKS[name];
  const isBold = weight === undefined ? own === '**' : weight === 'bold' || Number(weight) >= 600;
  const isItalic = own === '*' || (name === 'SPAN' && /font-style:\s*italic/.test(style));
  return [...(isBold ? ['**'] : []), ...(isItalic ? ['*'] : []), ...(own === '~~' ? ['~~'] : [])];
}
